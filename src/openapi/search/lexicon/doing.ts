/** Data: what people say for the verbs of APIs. See ../lexicon.ts for how a line is read. */
export const DOING = `
create: add, make, new, insert, start _ new, set up, put in, put into, put a, put an, generate, open a new, introduce, record, enter, note down, write down, hire, found, launch, plan, build a, compose, begin, issue a, set _ up, draw up, put together
add: create, put, include, append, insert, attach, invite, assign, give, bring in, put _ into, put _ in, put _ on, put _ in a, enter, file
update: change, edit, modify, alter, adjust, correct, fix, set, revise, amend, rename, move, reschedule, patch, replace, make _ bigger, make _ smaller, turn into, improve, rewrite, switch, mark, overwrite, configure, reword, bring up to date, tweak, refresh, rework, touch up, swap, extend
edit: change, update, correct, fix, modify, rewrite
set: change, update, configure, define, assign, make, choose, pick, turn
delete: remove, erase, drop, discard, purge, wipe, destroy, get rid of, throw away, throw out, throw _ away, throw _ out, throw _ into the, take down, take _ down, take back, take _ back, forget, cancel, call off, call _ off, empty, clear, clean up, clean, undo, kill, trash, shred, take _ offline, unsend, revoke, unpublish, not want _ any more, tear down, wipe out, nuke, dispose of, do away with, bin
remove: delete, take off, take _ off, take away, take _ away, take out, take _ out, kick, kick _ off, kick _ out, throw _ out, throw _ off, expel, detach, clear, drop, exclude, strip, unassign, get rid of, pull out, uninstall, unfollow, unsave, unlike, free up, let go, dismiss, scrap
get: show, read, view, fetch, retrieve, see, look at, find out, tell me, know, what is, display, check, give me, find, learn, look up, pull, load, grab, obtain
list: show, all, which, see, view, get, overview, browse, every, everything, read, what, enumerate, see all, what are
search: find, look for, looking for, query, look up, lookup, locate, seek, filter, discover, look through, hunt, that contain, which contain, containing, mention
find: search, look for, look up, locate, lookup, get
send: write, deliver, mail, message, submit, dispatch, pass, transmit, say, tell, share, ask, post, fire off, forward
post: publish, send, write, submit, create, share
reply: answer, respond, write back, comment
copy: duplicate, clone, replicate, same again, another one like
clone: copy, duplicate, replicate, exact copy
duplicate: copy, clone
fork: own copy, copy of a repository, copy of a project
move: transfer, shift, relocate, drag, put _ into another, put _ elsewhere, reorder, put in another, migrate, send _ to another, put _ under
transfer: move, hand over, hand _ over, pass on, give _ to another, migrate, send money, wire
archive: put away, hide, close, shelve, put _ away, store away
restore: bring back, bring _ back, get back, get _ back, recover, undelete, rescue, undo, put back, put _ back, revert, go back to, old state, bring back to life, roll back, reset to, get _ from the bin, get _ from the trash, undo a deletion
rollback: go back, previous version, undo, revert, older version, restore, version before, previous state
revert: undo, roll back, go back, restore
untrash: rescue, restore, recover, out of the bin, from the bin, from the trash
trash: bin, recycle bin, wastebasket, rubbish, garbage, throw away, throw _ away, deleted
start: begin, launch, run, boot, turn on, switch on, kick off, power on, fire up, initiate, play, set _ going, get _ going, bring up
stop: halt, end, cancel, abort, terminate, kill, turn off, switch off, quit, break off, pause, finish, interrupt, close, bring down, take down, put an end to
run: execute, start, trigger, launch, kick off, invoke, call
trigger: start, run, fire, kick off, launch, invoke
execute: run, perform, start, invoke
cancel: call off, call _ off, abort, stop, drop, withdraw, undo, terminate, end, give up, break off, quit
terminate: end, stop, kill, shut down, close, throw out
retry: again, run again, try again, once more, rerun, redo, repeat
resend: send again, once more, again, repeat
restart: reboot, again, power cycle, turn off and on
reboot: restart, power cycle, turn off and on
shutdown: switch off, switch _ off, turn off, turn _ off, power off, shut down, stop, halt
boot: start, switch on, turn on, power on
resume: continue, go on, unpause, carry on, start again, go on playing, play again
pause: stop for a while, hold, suspend, halt, interrupt, freeze, stop the music, stop playing, stop, hold on
suspend: ban, block, pause, freeze, lock out, deactivate, disable, hold
close: finish, end, resolve, done, complete, shut, stop, lock, settle, wind up
open: unresolved, active, start, current, unfinished
complete: finish, done, tick off, check off, mark as done, fulfil, ready, end
finalize: finish, lock, complete, close, make final
approve: accept, sign off, agree, confirm, allow, say yes, green light, ok, pass, okay, let _ through
accept: approve, agree, take, say yes, confirm, allow
reject: decline, refuse, deny, turn down, say no, disapprove
decline: reject, refuse, turn down, say no
deny: reject, refuse, forbid
confirm: approve, verify, accept, agree
enable: turn on, switch on, activate, allow, turn _ on, switch _ on, start using
disable: turn off, switch off, deactivate, turn _ off, switch _ off, forbid, stop using, block
activate: turn on, enable, switch on, unlock
deactivate: turn off, disable, switch off, lock, freeze, suspend, block
allow: let, permit, grant, enable, accept
lock: freeze, protect, prevent, stop people from, close, read only, no more changes, block, forbid
unlock: unfreeze, open, release, free, let _ again
protect: nobody may, prevent, forbid, lock, guard, secure, stop people from, not allow
restrict: forbid, limit, only allow, allow only, block, prevent, confine, ban
block: ban, lock out, stop, refuse, forbid, ignore, prevent, blacklist, bar
unblock: let back in, let _ in again, unban, allow again
ban: block, throw _ out, kick, suspend, exclude, lock out, forbid
unban: let _ back in, unblock, allow again, forgive
kick: throw _ out of, throw out of, remove, expel, ban
mute: silence, quiet, shut up, stop notifications, turn off sound
silence: mute, shut up, stop _ from writing, cannot write
grant: give, permission, right, access, may, allow, let
revoke: take away, take _ away, withdraw, cancel, invalidate, log _ out, throw _ out, expire, delete, end
assign: give, put _ on, hand, attribute, responsible, delegate, allocate, set, put _ in charge, make _ responsible
unassign: take off, take _ off, take away, release, remove
attach: connect, plug, mount, add, upload, link, put _ on, include, hang, fasten
detach: unplug, disconnect, unmount, remove, separate, take off
connect: link, join, attach, hook up, plug, pair
disconnect: unlink, cut off, separate, hang up, end
link: connect, url, address, attach, join, web address
subscribe: follow, sign up for, get notified, listen, be told, watch, stay informed
unsubscribe: stop following, stop getting, no more, opt out, unfollow, stop notifications
subscription: plan, abo, membership, recurring, contract, follow, be told, notify
watch: be told, be notified, follow, observe, subscribe, listen, notify, tell me when, changes, push
follow: subscribe, watch, keep up with, stay informed about
like: heart, favourite, thumbs up, upvote, save, love, approve of
unlike: take back a like, remove a heart
star: favourite, bookmark, like, mark as favourite
bookmark: remember, save for later, favourite, keep for later
pin: fix _ at the top, stick, highlight, keep at the top, put _ at the top
import: bring in, load, upload, migrate, fetch, take over, read in, ingest, carry over, take _ over from, load from a file
export: download, save as, get out, dump, backup, extract, take out, hand out, get _ as csv, get _ as a file
upload: put, add, send, attach, save, store, share a file, import, put _ online
download: get, fetch, save, export, content, read
publish: put online, put _ online, go live, release, make public, post, put live, make visible, announce
unpublish: take offline, take _ offline, hide, withdraw, take down
deploy: put online, put _ online, ship, roll out, release, publish, new version, go live
release: publish, ship, version, roll out, new version
merge: join, combine, accept, unify, put together, bring together, merging, put _ together
split: divide, break up, break into, separate, cut, part
convert: turn into, change into, make into, transform, translate
translate: other language, into english, convert
generate: create, make, produce, new, compute
compare: difference, diff, between, versus, differ, what changed, what is different, side by side
diff: difference, changes, compare, what changed, would change
calculate: work out, compute, how much would, estimate, preview
estimate: how much would, calculate, guess, work out, price
preview: look before, try, how would, thumbnail, look like, upcoming
verify: check, confirm, prove, valid, validate, genuine, is it real, correct
validate: check, verify, correct, valid, is _ right, is _ correct, wrong
validation: correct, valid, check
lint: check, validate, correct, valid
test: try, check, try out, works, ping, still good
check: test, verify, find out, see whether, is it, inspect, whether
report: statistics, summary, overview, analytics, complain, flag, complain about, notify, tell, record
flag: report, mark, complain, spam
mark: set, flag, tick, label
renew: extend, prolong, refresh, again, keep _ for another year, go on with
refresh: update, renew, reload, new
sync: keep in step, synchronise, update, mirror
reset: forgot, start over, new, clear, set back, restore, lost
regenerate: new, make a new, replace, again
rotate: new, replace, change, renew
resize: bigger, smaller, grow, shrink, larger, more memory, change the size, scale, enlarge, upgrade, more space
scale: bigger, more, grow, resize, number of
upgrade: newer version, update, bigger plan, better plan, newest
rename: change the name, new name, other name, call _ differently, name
register: sign up, enrol, join, create account, add, enter
unregister: sign off, leave, remove
registration: sign up, enrol
registrant: sign up, signed up, registered, attendee, participant
enroll: register, sign up
join: enter, become a member, take part, get in, go into
leave: get out, get out of, quit, exit, go out, drop out
invite: add, ask _ to join, bring, let in, add a person, let _ work
invitation: invite, ask _ to join
promote: make _ admin, raise, advertise, upgrade
demote: take admin rights
vote: poll, choose, upvote
redeem: use a coupon, use a voucher, cash in
claim: take, request, demand
play: listen, start, put on, watch, hear
skip: next, jump, pass over
queue: next, line up, waiting, up next, afterwards
schedule: later, plan, at a time, timetable, automatically on, when, recurring, calendar
reschedule: move, other time, postpone, later
snooze: later, mute, quiet, do not disturb
remind: reminder, remember, tell me later
reminder: remind, remember, do not forget, tell me later
notify: tell, inform, alert, let _ know, message, ping
sign: signature, signed
capture: collect, take, authorized earlier, charge
collect: gather, get, take
void: cancel, invalidate, nullify
charge: pay, take money, bill, collect money, debit
refund: money back, give back, give _ back, pay back, return money, reimburse
pay: settle, buy, spend, charge
order: purchase, buy, sale, sell, sold, bought
monitor: watch, observe, check, keep an eye, up, keep watch, supervise
inspect: look into, check, details
analyze: examine, study, evaluate
browse: look through, explore, discover
replace: swap, exchange, substitute, overwrite
append: add to the end, add
purge: empty, clear, flush, free up space, clean up
flush: clear, empty
prune: clean up, free up space
clear: empty, reset, wipe
garbage: free up space, clean up
lookup: find, look up, who owns
count: how many, number of, total
forward: pass on, send on, redirect
broadcast: tell everybody, send to all
respond: answer, reply
acknowledge: confirm, seen, i am on it
resolve: fix, settle, close, mark as fixed, done
reopen: open again, open _ again, undo closing
escalate: pass up, raise
withdraw: take back, take money out, cancel
deposit: pay in, put money in
save: like, keep, store, remember, add to favourites
unfollow: stop following
track: follow, record, log, where is
scan: check, examine, look for
detect: find, recognise, spot
recognize: detect, identify, what is on
summarize: shorten, sum up, in brief
transcribe: turn speech into text, write down what was said
classify: sort, which kind
predict: forecast, guess
embed: put _ into a page
render: draw, turn _ into html, turn _ into a picture
print: put on paper
exchange: swap, trade, trade in, convert
expire: end, run out
extend: prolong, longer, more time
ship: send out, deliver, dispatch
deliver: bring, send
return: send back, give back, bring back
book: reserve, order
reserve: book, keep _ for, set aside
rate: give stars, judge, score
recommend: suggest, propose
share: give to, post, publish, make _ public
hide: make invisible, do not show
show: make visible, display
dismiss: close, ignore, wave away, not interested
ignore: skip, dismiss, don't care
provision: set up, get, create
authorize: allow, permit, log in
impersonate: act as, log in as
`;
