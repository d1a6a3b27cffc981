/** Data: turns of phrase whose words mean something else together. See ../lexicon.ts for how a line is read. */
export const PHRASES = `
current authenticated user me: who am i, who i am, logged in as, my own profile, my own account, my profile, my account
list count: how many, how often, number of
get amount: how much
get progress: how far
update: up to date
restore revert rollback: go back, get back, put back, undo
current: right now
create webhook subscription: let me know, tell me, tell us, call me, call us, inform us, inform me, notify us, notify me, ping me, tell my server, call my server, call our server, get notified, receiver of events
webhook: when _ changes, when _ happens, when _ pushes, whenever _ changes, web hook
logout terminate session: log out, log _ out, logged out
task todo: to do
permanent: for good, forever, permanently
set volume: turn up, turn down, turn _ up, turn _ down
manual: by hand
reaction: high five, thumbs up, thumb up
datacenter region: data center, data centre
metrics: over time
list items content: what is in, everything in
comment message: said, say
`;
