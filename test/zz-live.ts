import { startTestStack } from "./helpers/stack.ts";
import { startUpstream } from "./helpers/upstream.ts";
let handler: any = (_q: any, r: any) => r.end("ok");
const up = await startUpstream((a: any, b: any, c: any) => handler(a, b, c));
const SEC = "tok-Zk3/9+Qx=7&pL2mN8vR4";
const cf = await startTestStack({ apis: { a: { description: "A", domains: [up.origin], credentials: ["API_TOKEN"] } }, vars: { API_TOKEN: SEC } });
const O = up.origin;
const blocks: [string, string][] = [
  ["blind", `const o=[]; const f=async(p,i)=>{try{const r=await fetch("${O}"+p,i); o.push(r.status+" "+(r.headers.get("x-codeforge-proxy-error")??""))}catch(e){o.push("E "+e.message.slice(0,100))}}; await f("/evil",{method:"POST",body:"x"}); for (let i=0;i<9;i++) await f("/"+"a".repeat(5e6)); return o`],
  ["blindhost", `const o=[]; const f=async(u,i)=>{try{const r=await fetch(u,i); o.push(r.status+" "+(r.headers.get("x-codeforge-proxy-error")??""))}catch(e){o.push("E "+e.message.slice(0,100))}}; await f("${O}/evil",{method:"POST",body:"x"}); for (let i=0;i<9;i++) await f("https://"+"a".repeat(5e6)+".com/"); return o`],
];
for (const [n, code] of blocks) { const t = Date.now(); const r = await cf.run(code); console.log("==", n, Date.now() - t, r.text.replace(/a{50,}|b{50,}/g, "A…").slice(0, 3000)); console.log("seen", up.seen.map((s: any) => s.method + s.url.slice(0, 20)).join()); up.seen.length = 0; }
console.log(cf.logs.filter((l) => /rror|unexpected/.test(l)).slice(-10).map((l) => l.slice(0, 300)).join("\n"));
await cf.stop(); await up.stop();
