/**
 * A program of its own that outlives the supervisor: its input is a pipe whose other end only the supervisor holds. Each
 * line is the list of processes that are not to be left behind, as JSON; when the pipe ends, however the supervisor has
 * ended, those on the last list are ended too. See `lifeline.ts`.
 */
import { createInterface } from "node:readline";

import { z } from "zod";

import { end, KnownProcess } from "./processes.ts";

const List = z.array(KnownProcess);

let listed: z.infer<typeof List> = [];
for await (const line of createInterface(process.stdin)) listed = List.parse(JSON.parse(line));
for (const known of listed) end(known);
