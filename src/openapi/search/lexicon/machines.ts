/** Data: machines, networks and security. See ../lexicon.ts for how a line is read. */
export const MACHINES = `
server: machine, computer, vm, host, instance, box, node
machine: server, computer, vm, instance
vm: virtual machine, server, machine
cluster: k8s, kubernetes, nodes, group of servers
pool: nodes, more nodes, group of machines
container: docker, box
registry: docker, images, container images
image: picture, photo, disk image, template, screenshot, icon
images: pictures, photos, os
kernel: operating system
disk: drive, hard disk, volume, storage
volume: drive, disk, storage, loud, quiet, louder, sound
storage: space, disk, quota, room
bucket: files, folder, object storage, s3
object: file, thing, item
backup: save, copy, snapshot, safe copy, save the state, save a copy
snapshot: save the state, backup, image, freeze, copy
replica: copy, standby, read-only copy, read replica
database: db, postgres, mysql, mongodb, redis, data
table: list, rows
record: entry, row, data, line, www, point www, subdomain
domain: name, web address, hostname, subdomain, site name
dns: name, domain, subdomain, point a name, hostname, nameserver, point _ to
zone: domain, dns, area, region
records: dns, point _ to, point a name, subdomain, entries, www, name
network: lan, vpc, wifi, connection
vpc: private network, network
firewall: open port, port, security group, allow _ to connect, who may connect, let through, close a port
rule: open port, policy, condition, filter, let through
rules: port, open port, policies, let through, allow traffic
ip: address
address: ip, location, street, where, mail
port: connection, socket
balancer: distribute traffic, spread load
certificate: ssl, https, tls, secure
ssl: https, certificate, tls, secure
tls: https, certificate, ssl
region: data center, datacenter, location, country, place, where
location: place, where, position, shop, store, branch, address, spot, here
size: how big, type, plan, dimension
type: kind, size, sort, class, plan
types: kinds, sizes, plans, machine sizes
traffic: bandwidth, visits, transfer, data used
transfer: traffic, bandwidth, data used
bandwidth: traffic, transfer, data used
stats: statistics, numbers, how busy, usage, metrics, how many, how much
statistics: stats, numbers, how busy, figures, how many
metric: statistics, number, figure, how busy, over time, measure, usage
metrics: statistics, numbers, how busy, over time, cpu, memory, measure, load
usage: how much is used, consumption, use, traffic, left, limit, spent
cpu: processor, how busy, load
memory: ram
uptime: is it up, website is up, available, running
health: is it up, working, alive, ok, running, status
check: up
ping: alive, is it up
maintenance: repair, planned outage
console: terminal, shell
device: phone, speaker, gadget, machine, computer, reader, equipment
devices: speakers, phones, gadgets
terminal: card reader, pos, device, till
credential: login data, password, username, secret, key, user and password
credentials: login data, password, username, secret, key
token: key, password, login, secret, session, still good
key: secret, token, password, ssh
keys: ssh, token, secret, api key
ssh: key, login key
password: login, secret, passphrase, pin
session: login, logged in, sign in
sessions: logins, logged in, sign in
login: sign in, log in, session, who logged in, access
logout: sign out, log out, log _ out, end all sessions, log off, throw _ out
log_out: sign out, end all sessions
auth: login, sign in, token, who am i
authentication: login, sign in, second factor, 2fa
authorization: permission, login, allow
oauth: app, login, token
tfa: second factor, 2fa, two-factor, mfa, authenticator
two_factor: second factor, 2fa, mfa
factor: second factor, 2fa, mfa
audit: who changed, who did what, what happened, log, trail, history
activity: what happened, who did what, history, log, lately, recent, actions
activities: what happened, history, log
security: safety, protection, vulnerability
policy: rule, compliance, keep for
retention: keep for, keep for years, compliance, how long kept
hold: legal, keep, freeze
compliance: law, legal, rules
anonymize: forget personal data, forget a person, remove personal data, gdpr, make anonymous
privacy: personal data, gdpr
encryption: secret, encrypt
identity: passport, who is, id card, person
verification: check, prove, passport, confirm, code
captcha: robot
instance: machines, servers, virtual machines
resize: more cpu, more ram
nameserver: dns
autoscale: grow by itself
failover: backup, switch over
gateway: entrance, router
subnet: part of a network
peering: join networks
route: path, where traffic goes
whitelist: allow only, only these addresses
allowlist: allow only, only these addresses
inbound_rule: open port, let through
monitoring: is it up, watch
alert_policy: tell me when, warn me when
cdn: cache, edge
cache: stored copy, purge
invalidation: clear the cache
endpoint: address, url
kubeconfig: access to the cluster, connect to the cluster
node_pool: more nodes, group of machines
reset_password: forgot password, new password
passkey: login without password
mfa: second factor, 2fa
sso: single sign-on, company login
scope: what a token may do
api_key: secret, token, access key
consent: agree, permission
blocklist: ban, blocked
leaked: exposed, published by mistake
`;
