// The console that the code sees: every method as one line of text with its level, handed to `emit`.
import { show as inspect } from "./inspect.js";
import {
  classes,
  indexOf,
  join,
  keys,
  mapDelete,
  mapGet,
  mapSet,
  padEnd,
  push,
  repeat,
  replace,
  slice,
} from "./primordials.js";

const MAX_LINE = 65_536;
const PLACEHOLDER = /%([sdifjoOc%])/g;

/** Makes a console. `emit(level, text)` takes each line; `clock()` answers milliseconds. */
export function createConsole(emit, clock) {
  const counts = new classes.Map();
  const timers = new classes.Map();
  let indent = 0;

  function say(level, text) {
    const margin = repeat("  ", indent);
    const lines = margin === "" ? text : margin + replace(text, /\n/g, `\n${margin}`);
    emit(level, lines.length > MAX_LINE ? `${slice(lines, 0, MAX_LINE)}… (cut)` : lines);
  }
  const at =
    (level) =>
    (...values) =>
      say(level, format(values));
  const label = (value) => (value === undefined ? "default" : `${value}`);
  const elapsed = (name) => {
    const started = mapGet(timers, name);
    return started === undefined ? "no such timer" : `${clock() - started} ms`;
  };

  return {
    log: at("log"),
    info: at("info"),
    debug: at("debug"),
    warn: at("warn"),
    error: at("error"),
    trace: at("trace"),
    dirxml: at("log"),
    dir: (value) => say("log", show(value)),
    table: (rows) => say("table", toTable(rows)),
    assert: (condition, ...values) => {
      if (condition) return;
      say("error", values.length === 0 ? "Assertion failed" : `Assertion failed: ${format(values)}`);
    },
    group: (...values) => {
      if (values.length > 0) say("log", format(values));
      indent += 1;
    },
    groupCollapsed: (...values) => {
      if (values.length > 0) say("log", format(values));
      indent += 1;
    },
    groupEnd: () => {
      if (indent > 0) indent -= 1;
    },
    count: (name) => {
      const count = (mapGet(counts, label(name)) ?? 0) + 1;
      mapSet(counts, label(name), count);
      say("log", `${label(name)}: ${count}`);
    },
    countReset: (name) => void mapDelete(counts, label(name)),
    time: (name) => void mapSet(timers, label(name), clock()),
    timeLog: (name, ...values) => {
      const rest = values.length > 0 ? ` ${format(values)}` : "";
      say("log", `${label(name)}: ${elapsed(label(name))}${rest}`);
    },
    timeEnd: (name) => {
      say("log", `${label(name)}: ${elapsed(label(name))}`);
      mapDelete(timers, label(name));
    },
    timeStamp: () => {},
    clear: () => {},
  };
}

/** The arguments of one call as one text; a first argument with `%s` and its like is filled in. */
function format(values) {
  let used = 0;
  const parts = [];
  if (typeof values[0] === "string") {
    used = 1;
    push(
      parts,
      replace(values[0], PLACEHOLDER, (whole, kind) => {
        if (kind === "%") return "%";
        if (used >= values.length) return whole;
        const value = values[used++];
        if (kind === "c") return "";
        if (kind === "d" || kind === "f") return typeof value === "object" ? "NaN" : `${Number(value)}`;
        if (kind === "i") return typeof value === "object" ? "NaN" : `${Number.parseInt(value, 10)}`;
        return show(value);
      }),
    );
  }
  for (; used < values.length; used++) push(parts, show(values[used]));
  return join(parts, " ");
}

function show(value) {
  return typeof value === "string" ? value : inspect(value, MAX_LINE);
}

/** Rows as an aligned table with a line of column names. Anything but a list or object of rows is shown as it is. */
function toTable(rows) {
  if (typeof rows !== "object" || rows === null) return show(rows);
  const columns = ["(index)"];
  const table = [columns];
  const names = keys(rows);
  for (let index = 0; index < names.length && index < 1000; index++) {
    push(table, toRow(names[index], rows[names[index]], columns));
  }
  return layOut(table, columns.length);
}

function toRow(name, row, columns) {
  const cells = [name];
  const isObject = typeof row === "object" && row !== null;
  const fields = isObject ? keys(row) : ["Values"];
  for (let index = 0; index < fields.length; index++) {
    const value = isObject ? row[fields[index]] : row;
    let column = indexOf(columns, fields[index], 1);
    if (column === -1) column = push(columns, fields[index]) - 1;
    cells[column] = show(value);
  }
  return cells;
}

function layOut(table, width) {
  const widths = [];
  for (let column = 0; column < width; column++) {
    let widest = 0;
    for (let row = 0; row < table.length; row++) {
      const length = (table[row][column] ?? "").length;
      if (length > widest) widest = length;
    }
    push(widths, widest);
  }
  const lines = [];
  for (let row = 0; row < table.length; row++) {
    const cells = [];
    for (let column = 0; column < width; column++) push(cells, padEnd(table[row][column] ?? "", widths[column]));
    push(lines, replace(join(cells, " | "), /\s+$/, ""));
  }
  return join(lines, "\n");
}
