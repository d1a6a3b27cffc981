/** A server's skills, local or deployed, through its routes under `/admin/skills`. */
import type { z } from "zod";

import {
  ChangedSkill,
  ListedSkills,
  RanSkill,
  ShownSkill,
  type PutSkill,
  type RunSkill,
} from "../../contract/skills.ts";
import { askAdmin, type AdminRequest } from "../remote/admin.ts";
import type { Login } from "../remote/logins.ts";

/** Calls one server. */
export class RemoteSkills {
  readonly #login: Login;

  constructor(login: Login) {
    this.#login = login;
  }

  async list(): Promise<z.infer<typeof ListedSkills>["skills"]> {
    return (await this.#ask("", ListedSkills)).skills;
  }
  show(name: string, version?: string): Promise<ShownSkill> {
    const query = version === undefined ? "" : `?version=${encodeURIComponent(version)}`;
    return this.#ask(`/${encodeURIComponent(name)}${query}`, ShownSkill);
  }
  put(name: string, body: PutSkill): Promise<ChangedSkill> {
    return this.#ask(`/${encodeURIComponent(name)}`, ChangedSkill, { method: "PUT", body });
  }
  remove(name: string): Promise<ChangedSkill> {
    return this.#ask(`/${encodeURIComponent(name)}`, ChangedSkill, { method: "DELETE" });
  }
  restore(name: string, version?: string): Promise<ChangedSkill> {
    return this.#ask(`/${encodeURIComponent(name)}/restore`, ChangedSkill, { body: { version } });
  }
  run(name: string, body: RunSkill): Promise<RanSkill> {
    return this.#ask(`/${encodeURIComponent(name)}/run`, RanSkill, { body });
  }

  /** A run takes as long as it may, and a large skill as long as it travels: the server's limits decide. */
  #ask<S extends z.ZodType>(path: string, schema: S, request: AdminRequest = {}): Promise<z.output<S>> {
    return askAdmin(this.#login, `skills${path}`, schema, { ...request, timeoutMs: null });
  }
}
