import { expect, test } from "vitest";

import { parseConfig } from "../../src/contract/config.ts";

const GOOD = { description: "Payments", domains: ["api.stripe.com"] };

test.each([
  { config: null, says: ["use an object"] },
  { config: {}, says: ["description: say in a few words", "domains: use a list of hosts"] },
  { config: { ...GOOD, domains: [] }, says: ["domains: name at least one host"] },
  { config: { ...GOOD, domains: [1] }, says: ["domains[0]: write a host in quotes"] },
  { config: { ...GOOD, active: "yes" }, says: ["active: use true or false"] },
  { config: { ...GOOD, restricted_methods: "GET" }, says: ["restricted_methods: use a list of methods"] },
  {
    config: { ...GOOD, restricted_methods: ["FETCH", 1] },
    says: ["restricted_methods[0]: use one of GET", "restricted_methods[1]: use one of GET"],
  },
  { config: { ...GOOD, reference: "docs" }, says: ["reference: use an https:// URL, or null"] },
  { config: { ...GOOD, credentials: "A_KEY" }, says: ["credentials: use a list of names"] },
  { config: { ...GOOD, credentials: { A_KEY: "canary" } }, says: ["credentials: values do not belong in this file"] },
  { config: { ...GOOD, credentials: ["canary"] }, says: ["credentials[0]: use the credential's NAME"] },
  { config: { ...GOOD, credentials: [3] }, says: ['credentials[0]: use "NAME" or {'] },
  {
    config: { ...GOOD, credentials: [{ name: "canary", in: ["headr"], shared: 1, kindd: "x" }, { in: "path" }] },
    says: [
      "credentials[0].name: use the credential's NAME",
      'credentials[0].in[0]: use "header"',
      "credentials[0].shared: use true or false",
      'credentials[0]: unknown "kindd"; known: name, in',
      "credentials[1].name: use the credential's NAME",
      "credentials[1].in: use a list of places",
    ],
  },
  { config: { ...GOOD, Active: true }, says: ['unknown "Active"; known: $schema, description'] },
])("$config is answered with every issue, its place and what to write", ({ config, says }) => {
  const result = parseConfig(config);
  const issues = result.ok
    ? []
    : result.issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  expect(issues).toEqual(says.map((part) => expect.stringContaining(part)));
  expect(issues.join("\n")).not.toMatch(/canary|Invalid input/);
});
