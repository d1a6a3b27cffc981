// Watches fetch: how many requests are on their way at once, which ones still are when the code ends, and what an error
// of the network or of a body was about. Queries are left out; the error may be logged.
import { annotate } from "./errors.js";
import {
  classes,
  mapDelete,
  mapGet,
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

/**
 * Requests that wait for their answers at the same time. Further ones wait in line in here, where thousands cost next to
 * nothing; on their way they would keep everybody else's waiting.
 */
const MAX_AT_ONCE = 32;

/** Replaces fetch and the readers of Response. */
export function watchNetwork(scope) {
  const fetch = inTurns(scope.fetch);
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

/** `fetch` with a line in front of it. A request is taken down when it is made, whatever becomes of its parts later. */
function inTurns(fetch) {
  const line = new classes.Map();
  let first = 0;
  let last = 0;
  let onTheirWay = 0;

  const next = () => {
    onTheirWay -= 1;
    const start = mapGet(line, first);
    if (start === undefined) return;
    mapDelete(line, first++);
    start();
  };
  const send = (input, init) => {
    onTheirWay += 1;
    const answer = fetch(input, init);
    onSettled(answer, next, next);
    return answer;
  };
  return (input, init) => {
    if (onTheirWay < MAX_AT_ONCE) return send(input, init);
    return new classes.Promise((resolve) => {
      const request = new classes.Request(input, init);
      mapSet(line, last++, () => resolve(send(request)));
    });
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
