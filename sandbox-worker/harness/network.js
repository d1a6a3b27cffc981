// Watches fetch: which requests are still on their way when the code ends, and what an error of the network or of a
// body was about. Queries are left out; the error may be logged.
import { annotate } from "./errors.js";
import {
  classes,
  mapDelete,
  mapSet,
  forEachOfMap,
  push,
  onSettled,
  toUpperCase,
  uncurry,
  weakGet,
  weakSet,
} from "./primordials.js";

const BODY_READERS = ["arrayBuffer", "blob", "bytes", "formData", "json", "text"];

/** Replaces fetch and the readers of Response. */
export function watchNetwork(scope) {
  const { fetch } = scope;
  const pending = new classes.Map();
  const labels = new classes.WeakMap();
  let count = 0;

  scope.fetch = function fetch_(input, init) {
    const label = labelOf(input, init);
    const site = new classes.Error();
    const id = count++;
    mapSet(pending, id, label);
    return onSettled(
      fetch(input, withoutCache(init)),
      (response) => {
        mapDelete(pending, id);
        weakSet(labels, response, `${label} answered ${response.status}`);
        return response;
      },
      (error) => {
        mapDelete(pending, id);
        throw annotate(error, label, site);
      },
    );
  };

  scope.Request = class Request extends classes.Request {
    constructor(input, init) {
      super(input, withoutCache(init));
    }
  };

  for (let index = 0; index < BODY_READERS.length; index++) explainReader(BODY_READERS[index], labels);

  return {
    /** The requests that no answer has come to yet. */
    pending() {
      const list = [];
      forEachOfMap(pending, (label) => push(list, label));
      return list;
    },
  };
}

/** Nothing is cached between here and an API, and the runtime refuses the ways in which browsers ask for that. */
function withoutCache(init) {
  return init?.cache === undefined ? init : { ...init, cache: undefined };
}

function explainReader(name, labels) {
  const read = uncurry(classes.Response.prototype[name]);
  classes.Response.prototype[name] = {
    [name]() {
      const label = weakGet(labels, this);
      if (label === undefined) return read(this);
      const site = new classes.Error();
      return onSettled(read(this), undefined, (error) => {
        throw annotate(error, label, site);
      });
    },
  }[name];
}

/** Method, host and path of a request that may turn out to be no request at all. */
function labelOf(input, init) {
  try {
    const isRequest = input instanceof classes.Request;
    const method = toUpperCase(`${init?.method ?? (isRequest ? input.method : "GET")}`);
    const { host, pathname } = new classes.URL(isRequest ? input.url : `${input}`);
    return `${method} ${host}${pathname}`;
  } catch {
    return "fetch";
  }
}
