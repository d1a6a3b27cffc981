/**
 * Which hosts are not on the public internet: private, loopback, link-local and reserved addresses, and names that
 * resolve only inside a network. Takes a host in its WHATWG form, where every spelling of an address is already one.
 * What a public *name* resolves to is not known here; the platform and the local runner refuse that when connecting.
 */
import { isIpLiteral } from "./domains.ts";

/** IPv4 blocks that are not globally reachable (IANA special-purpose registry), with multicast and reserved space. */
const PRIVATE_IPV4: readonly (readonly [address: string, bits: number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Last labels that mean "in this network": mDNS, RFC 6761, RFC 8375 (`home.arpa`), and what routers and clouds use. */
const PRIVATE_SUFFIXES = [
  "localhost",
  "local",
  "localdomain",
  "internal",
  "intranet",
  "lan",
  "home",
  "corp",
  "home.arpa",
];

/** Whether `host` is a private, loopback, link-local, metadata or otherwise special address, or an internal name. */
export function isPrivateHost(host: string): boolean {
  if (host.startsWith("[")) return !isGlobalIpv6(toGroups(host));
  if (isIpLiteral(host)) return PRIVATE_IPV4.some(([address, bits]) => inBlock(host, address, bits));
  return !host.includes(".") || PRIVATE_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}

/** Whether `host` is this machine itself, so that its ports are the server's own. */
export function isLoopbackHost(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  if (!host.startsWith("[")) return isIpLiteral(host) && (host.startsWith("127.") || host.startsWith("0."));
  const groups = toGroups(host);
  const [high = 0, low = 0] = groups.slice(6);
  if (groups.slice(0, 5).some((group) => group !== 0)) return false;
  if (groups[5] === 0xffff) return high >> 8 === 127 || high >> 8 === 0;
  return groups[5] === 0 && high === 0 && low <= 1;
}

function inBlock(host: string, block: string, bits: number): boolean {
  const shift = 32 - bits;
  return toNumber(host) >>> shift === toNumber(block) >>> shift;
}

function toNumber(ipv4: string): number {
  return ipv4.split(".").reduce((sum, octet) => sum * 256 + Number(octet), 0);
}

/**
 * Global unicast is 2000::/3. Within it, documentation, benchmarking and ORCHID blocks are not reachable, and Teredo
 * and 6to4 carry an IPv4 address of the sender's choice. All else, `::ffff:` and NAT64 included, is not global.
 */
function isGlobalIpv6([first = 0, second = 0]: readonly number[]): boolean {
  if (first >> 13 !== 1) return false;
  if (first === 0x2002 || first >> 4 === 0x3ff) return false;
  return !(first === 0x2001 && (second < 0x200 || second === 0xdb8));
}

/** The eight groups of a bracketed IPv6 address as `URL` writes it: hexadecimal, compressed, without a zone. */
function toGroups(host: string): number[] {
  const [head = "", tail] = host.slice(1, -1).split("::");
  const parse = (text: string): number[] => (text === "" ? [] : text.split(":").map((group) => parseInt(group, 16)));
  const before = parse(head);
  if (tail === undefined) return before;
  const after = parse(tail);
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}
