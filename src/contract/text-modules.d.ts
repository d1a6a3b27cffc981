/** Text modules of the bundle: `.txt` files are imported as strings. */
declare module "*.txt" {
  const text: string;
  export default text;
}
