/**
 * The intermediate representation: what a document becomes when an API is added, and all that a Worker ever reads of it.
 * Plain JSON throughout. It holds names of credentials and never a value, and it is the same to the byte for one input.
 */
import type { SkipRule } from "./skip.ts";

/** The version of the mapping rules, recorded as `x-codeforge-mapping`. */
export const MAPPING_VERSION = 1;

/** The argument that holds a body as a whole. */
export const BODY_KEY = "body";

/** A JSON Schema (2020-12) restricted to the keywords of rule M9. */
export type Schema = Readonly<Record<string, unknown>>;

/** One compiled document. */
export interface ApiIr {
  readonly "x-codeforge-mapping": number;
  readonly api: string;
  readonly title: string;
  readonly description?: string;
  /** `info.version` of the document. */
  readonly version?: string;
  /** The specification's version: `3.0.3`, `2.0`. */
  readonly openapi: string;
  /** SHA-256 of the document, independent of the order of its paths. */
  readonly sha256: string;
  /** Base URLs in use, most operations first. */
  readonly servers: readonly string[];
  readonly credentials: readonly CredentialNote[];
  /** What the document says of the tags that its operations have; absent when it says nothing. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Sorted by name. */
  readonly operations: readonly Operation[];
  /** Sorted by path and method. */
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly string[];
  /** What a document may hold that is never a tool. */
  readonly ignored: { readonly callbacks: number; readonly webhooks: number };
}

/** An operation that was not mapped, and the rule that says so. */
export interface Skipped {
  readonly method: string;
  readonly path: string;
  readonly rule: SkipRule;
  readonly reason: string;
}

/** One mapped operation: what a model sees of it, and how its arguments become a request. */
export interface Operation {
  readonly name: string;
  readonly group?: string;
  readonly tags: readonly string[];
  readonly operationId?: string;
  readonly title?: string;
  readonly description: string;
  readonly deprecated?: true;
  /** A person is to be asked before it is called (rule M13a). */
  readonly confirm?: true;
  /** Placed on the main list whatever is selected (`x-mcp: true`). */
  readonly pinned?: true;
  readonly method: string;
  readonly path: string;
  /** Base URL without a final slash. */
  readonly server: string;
  readonly annotations: Annotations;
  readonly inputSchema: Schema;
  /** The input schema was cut to its budget: parts of it say less than the document does. */
  readonly truncated?: true;
  /** The whole input schema of a truncated one, where it is small enough to be kept: checked against, and described. */
  readonly completeSchema?: Schema;
  readonly parameters: readonly ParameterPlan[];
  readonly body?: BodyPlan;
  readonly security: readonly CredentialUse[];
  readonly output?: Output;
  readonly pagination?: Pagination;
}

/** MCP tool annotations, all of them always given. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export type ParameterPlace = "path" | "query" | "querystring" | "header" | "cookie";

export type Style =
  | "simple"
  | "label"
  | "matrix"
  | "form"
  | "spaceDelimited"
  | "pipeDelimited"
  | "deepObject"
  | "cookie";

/** How one argument is written into a request. */
export interface ParameterPlan {
  /** The argument's key; absent when the value is fixed and hidden. */
  readonly key?: string;
  readonly fixed?: unknown;
  /** The name on the wire. */
  readonly name: string;
  readonly in: ParameterPlace;
  readonly style: Style;
  readonly explode: boolean;
  readonly required?: true;
  readonly allowReserved?: true;
  /** The value is encoded as this media type and then written as one string. */
  readonly content?: string;
}

export type BodyFormat = "json" | "form" | "multipart" | "text" | "binary";

/** How the body is made: from the arguments named in `flat` (key = property), or from the argument `body`. */
export interface BodyPlan {
  readonly format: BodyFormat;
  /** The `Content-Type` as declared. */
  readonly mediaType: string;
  readonly required?: true;
  readonly flat?: readonly string[];
  /** Form and multipart: how single properties are written. */
  readonly encoding?: Readonly<Record<string, PropertyEncoding>>;
  /** Other media types the operation takes. */
  readonly alternatives?: readonly string[];
}

/** The Encoding Object of one property, and whether the property is a file. */
export interface PropertyEncoding {
  readonly style?: Style;
  readonly explode?: boolean;
  readonly allowReserved?: true;
  readonly contentType?: string;
  readonly file?: true;
}

/** One credential of a request: where its placeholder goes. */
export interface CredentialUse {
  readonly scheme: string;
  readonly kind: "apiKey" | "bearer" | "basic";
  readonly in: "header" | "query" | "cookie";
  /** The header, query or cookie name. */
  readonly name: string;
  /** One name; two for basic: user name and password. */
  readonly placeholders: readonly string[];
}

/** A credential name of the API, and the places its `config.json` has to open. */
export interface CredentialNote {
  readonly name: string;
  readonly scheme: string;
  readonly in: readonly string[];
}

/** The answer of the first success status. */
export interface Output {
  readonly status: string;
  readonly mediaType?: string;
  readonly schema?: Schema;
  readonly truncated?: true;
}

/** How further pages are reached; never followed automatically. */
export interface Pagination {
  readonly style: "page" | "cursor" | "offset" | "link";
  /** The argument that selects the page. */
  readonly parameter?: string;
  /** The property of the answer that holds the next value. */
  readonly next?: string;
}
