/** A server's skills, local or deployed, through its routes under `/admin/skills`. */
import { z } from "zod";

import {
  ChangedSkill,
  ListedSkills,
  RanSkill,
  ShownSkill,
  type PutSkill,
  type RunSkill,
} from "../../contract/skills.ts";
import { UserError } from "../errors.ts";

const Refusal = z.object({ error: z.object({ code: z.string().optional(), message: z.string() }) });

export interface RemoteOptions {
  /** The server's address; its path does not matter. */
  readonly server: string;
  /** A bearer token; undefined where the server asks for none. */
  readonly token?: string | undefined;
}

/** Calls one server. Every refusal becomes a `UserError` with the server's words. */
export class RemoteSkills {
  readonly #options: RemoteOptions;

  constructor(options: RemoteOptions) {
    this.#options = options;
  }

  async list(): Promise<z.infer<typeof ListedSkills>["skills"]> {
    return (await this.#call("GET", "", ListedSkills)).skills;
  }
  show(name: string, version?: string): Promise<ShownSkill> {
    const query = version === undefined ? "" : `?version=${encodeURIComponent(version)}`;
    return this.#call("GET", `/${encodeURIComponent(name)}${query}`, ShownSkill);
  }
  put(name: string, body: PutSkill): Promise<ChangedSkill> {
    return this.#call("PUT", `/${encodeURIComponent(name)}`, ChangedSkill, body);
  }
  remove(name: string): Promise<ChangedSkill> {
    return this.#call("DELETE", `/${encodeURIComponent(name)}`, ChangedSkill);
  }
  restore(name: string, version?: string): Promise<ChangedSkill> {
    return this.#call("POST", `/${encodeURIComponent(name)}/restore`, ChangedSkill, { version });
  }
  run(name: string, body: RunSkill): Promise<RanSkill> {
    return this.#call("POST", `/${encodeURIComponent(name)}/run`, RanSkill, body);
  }

  async #call<S extends z.ZodType>(method: string, path: string, schema: S, body?: object): Promise<z.output<S>> {
    const { server, token } = this.#options;
    const url = new URL(`/admin/skills${path}`, server);
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    let response: Response;
    try {
      response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    } catch {
      throw new UserError(`no server answers at ${url.origin}; name another with --server, or start one: npm start`);
    }
    const json: unknown = await response.json().catch(() => null);
    if (response.ok) return schema.parse(json);
    const refusal = Refusal.safeParse(json);
    const reason = refusal.success ? refusal.data.error.message : `the server answered ${response.status}`;
    const hint = response.status === 401 ? " Set CODEFORGE_TOKEN to a token of the server." : "";
    throw new UserError(`${reason}${hint}`);
  }
}
