/** A number of things in words. @example count(2, "write") // 2 writes */
export function count(n: number, noun: string): string {
  return `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}
