/**
 * Where a credential's name ends up in a request: followed upwards from where it stands in a script, through templates,
 * objects, variables, calls and parameters, to the `fetch` that sends it. What cannot be followed yields no place, which
 * is reported and not guessed.
 */
import { flatten, hostOf, UNKNOWN } from "./flatten.ts";
import { isNode, keyText, wordPattern, type AnyNode, type Script } from "./script.ts";

/** One place that a name reaches; `host` is null where the script does not say it. */
export interface Reached {
  /** As in a credential's `in`. */
  readonly place: string;
  readonly host: string | null;
}

/** How far a name is followed; scripts are short, and this ends circles. */
const MAX_STEPS = 60;

/** Calls that give back what they were given, in another spelling. */
const PASS_THROUGH = /^(?:btoa|encodeURIComponent|String|Object\.(?:assign|fromEntries|freeze)|Buffer\.from|Headers)$/;

/** What the value has become on its way up. */
interface Carried {
  /** Keys from the outside in, of the objects it stands in. */
  readonly keys: readonly string[];
  /** What these objects have been turned into. */
  readonly form: "plain" | "parameters" | "json";
  /** The expression of the string it is part of. */
  readonly text: AnyNode;
  /** The variable or parameter that holds it, where it was passed on by itself. */
  readonly holder: AnyNode | null;
}

/** Every place that a name, standing at `node`, reaches. */
export function placesOf(script: Script, node: AnyNode, name: string): Reached[] {
  const found: Reached[] = [];
  let steps = 0;
  const seen = new Set<AnyNode>();

  const follow = (from: AnyNode, carried: Carried): void => {
    const parent = script.parentOf(from);
    if (parent === undefined || ++steps > MAX_STEPS) return;
    const up = (change: Partial<Carried> = {}): void => follow(parent, { ...carried, ...change });
    switch (parent.type) {
      case "TemplateLiteral":
      case "BinaryExpression":
        // A name in a text that is put together: the place is in the whole of it.
        return up({ text: carried.keys.length === 0 && carried.form === "plain" ? parent : carried.text });
      case "ConditionalExpression":
      case "LogicalExpression":
      case "AwaitExpression":
      case "ChainExpression":
        return up();
      case "SpreadElement": {
        const object = script.parentOf(parent);
        return object?.type === "ObjectExpression" ? follow(object, carried) : undefined;
      }
      case "Property": {
        const key = keyText(parent["key"], parent["computed"] === true);
        const object = script.parentOf(parent);
        if (key === null || parent["value"] !== from || object === undefined) return;
        return follow(object, { ...carried, keys: [key, ...carried.keys] });
      }
      case "ArrayExpression": {
        const [first, second] = parent["elements"] as AnyNode[];
        const key = keyText(first, true);
        return second === from && key !== null ? up({ keys: [key, ...carried.keys] }) : up();
      }
      case "VariableDeclarator":
        return followName(parent["id"], carried);
      case "AssignmentExpression":
        return parent["right"] === from ? followTarget(parent["left"], carried) : undefined;
      case "ArrowFunctionExpression":
        return parent["body"] === from ? followCalls(parent, carried) : undefined;
      case "ReturnStatement": {
        let at: AnyNode | undefined = parent;
        while (at !== undefined && !/Function/.test(at.type)) at = script.parentOf(at);
        return at === undefined ? undefined : followCalls(at, carried);
      }
      case "MemberExpression": {
        // `text.trim()`, `params.toString()`: the same in another spelling.
        const call = script.parentOf(parent);
        return parent["object"] === from && call?.["callee"] === parent ? follow(call, carried) : undefined;
      }
      case "CallExpression":
      case "NewExpression":
        return followCall(parent, from, carried);
      default:
        return;
    }
  };

  const followCall = (call: AnyNode, from: AnyNode, carried: Carried): void => {
    const callee = call["callee"];
    const args = call["arguments"] as AnyNode[];
    const at = args.indexOf(from);
    if (!isNode(callee) || at === -1) return;
    const called = script.text.slice(callee.start, callee.end);
    if (called === "fetch" || called === "Request") return at === 0 ? inUrl(from, carried) : inInit(call, carried);
    if (called === "JSON.stringify") return at === 0 ? follow(call, { ...carried, form: "json" }) : undefined;
    if (called === "URLSearchParams") return follow(call, { ...carried, form: "parameters" });
    if (called === "URL") return inUrl(from, carried);
    if (PASS_THROUGH.test(called)) return follow(call, carried);
    const method = callee.type === "MemberExpression" ? keyText(callee["property"], callee["computed"] === true) : null;
    const key = keyText(args[0], true);
    if ((method === "set" || method === "append") && at === 1 && key !== null) {
      return followReceiver(callee["object"], { ...carried, keys: [key, ...carried.keys] });
    }
    return followParameter(called, at, carried);
  };

  /** `x.set(key, …)`: the parameters of a URL, or a variable that goes on. */
  const followReceiver = (receiver: unknown, carried: Carried): void => {
    if (!isNode(receiver)) return;
    if (receiver.type === "MemberExpression" && keyText(receiver["property"], false) === "searchParams") {
      return add(`query:${carried.keys[0]}`, hostOf(script, receiver["object"]));
    }
    if (receiver.type === "Identifier") {
      const made = script.initials.get(String(receiver["name"]));
      const isParameters = made?.type === "NewExpression" && keyText(made["callee"], false) === "URLSearchParams";
      followName(receiver, { ...carried, form: isParameters ? "parameters" : carried.form });
    }
  };

  /** `x.key = …` and `x = …`. */
  const followTarget = (target: unknown, carried: Carried): void => {
    if (!isNode(target)) return;
    if (target.type !== "MemberExpression") return followName(target, carried);
    const key = keyText(target["property"], target["computed"] === true);
    const host = hostOf(script, target["object"]);
    if (key === "search" && carried.form === "parameters") return add(`query:${carried.keys[0]}`, host);
    if (key === "search" || key === "pathname") return inText(carried, host, key);
    if (key !== null) followName(target["object"], { ...carried, keys: [key, ...carried.keys] });
  };

  const followName = (id: unknown, carried: Carried): void => {
    if (!isNode(id) || id.type !== "Identifier") return;
    for (const reference of script.references.get(String(id["name"])) ?? []) {
      if (reference === id || seen.has(reference)) continue;
      seen.add(reference);
      const isAlone = carried.keys.length === 0;
      follow(reference, isAlone ? { ...carried, text: reference, holder: reference } : carried);
      seen.delete(reference);
    }
  };

  /** What a function gives back goes on where it is called. */
  const followCalls = (made: AnyNode, carried: Carried): void => {
    const id = made["id"] ?? script.parentOf(made)?.["id"];
    if (!isNode(id)) return;
    for (const reference of script.references.get(String(id["name"])) ?? []) {
      const call = script.parentOf(reference);
      if (call?.type === "CallExpression" && call["callee"] === reference) follow(call, carried);
    }
  };

  /** An argument goes on as the parameter of a function of the script. */
  const followParameter = (called: string, at: number, carried: Carried): void => {
    const made = script.initials.get(called);
    if (made === undefined || !/Function/.test(made.type)) return;
    const parameter = (made["params"] as AnyNode[])[at];
    followName(parameter?.type === "AssignmentPattern" ? parameter["left"] : parameter, carried);
  };

  /** The second argument of `fetch`. */
  const inInit = (call: AnyNode, carried: Carried): void => {
    const host = hostOf(script, (call["arguments"] as AnyNode[])[0]);
    const [part, ...keys] = carried.keys;
    const [first] = keys;
    if (part === "headers" && first !== undefined) return add(headerPlace(first), host);
    if (part !== "body") return;
    if (carried.form !== "plain" || keys.length > 0) {
      return keys.length === 0 ? undefined : add(`body:${keys.join(".")}`, host);
    }
    inText(carried, host, "body");
  };

  const inUrl = (url: AnyNode, carried: Carried): void => {
    const host = hostOf(script, url);
    if (carried.form === "parameters" && carried.keys[0] !== undefined) return add(`query:${carried.keys[0]}`, host);
    if (carried.keys.length === 0) inText({ ...carried, text: url }, host, "url");
  };

  /** The place of the name within a text: of a URL, of its query, or of a body. */
  const inText = (
    { text, holder }: Carried,
    host: string | null,
    kind: "url" | "search" | "pathname" | "body",
  ): void => {
    const own = holder === null ? null : flatten(script, holder);
    const isPassed = own === UNKNOWN && holder !== null;
    const whole = flatten(script, text, isPassed ? { node: holder, text: name } : null);
    if (kind === "pathname") return add("path", host);
    const at = whole.search(wordPattern(name));
    if (at === -1) return;
    const before = whole.slice(0, at);
    const json = kind === "body" ? /"([^"\\]+)"\s*:\s*"[^"]*$/.exec(before)?.[1] : undefined;
    if (json !== undefined) return add(`body:${json}`, host);
    if (kind === "url" && !before.includes("?")) return add("path", host);
    const key = /(?:^|[?&])([^=&?#\0]+)=[^&]*$/.exec(before)?.[1];
    if (key !== undefined) add(`${kind === "body" ? "body" : "query"}:${decodeURIComponent(key)}`, host);
  };

  const add = (place: string, host: string | null): void => {
    if (!found.some((one) => one.place === place && one.host === host)) found.push({ place, host });
  };

  follow(node, { keys: [], form: "plain", text: node, holder: null });
  return found;
}

/** `Authorization` is open by default; every other header is opened by name. */
function headerPlace(header: string): string {
  const name = header.toLowerCase();
  return name === "authorization" ? "header" : `header:${name}`;
}
