// `import { progress } from "codeforge"`: what the code gets beyond the web's own API.
export function progress() {}
