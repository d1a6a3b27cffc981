/** The harness, imported as text by wrangler's `Text` rule. */
declare module "*.js" {
  const text: string;
  export default text;
}
