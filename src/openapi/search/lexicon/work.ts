/** Data: time, tasks, and making software. See ../lexicon.ts for how a line is read. */
export const WORK = `
event: meeting, appointment, date, diary, what happened, activity, occasion, entry, log, webhook, happen
events: meeting, appointment, diary, what do i have on, what happened, today, agenda
calendar: diary, agenda, schedule, appointments
meeting: call, video call, appointment, conference, talk, session, date
webinar: online lecture, online seminar, presentation, broadcast
call: phone, ring, telephone, meeting
appointment: booking, slot, date, meeting, visit
booking: reservation, appointment, reserve, book
reservation: booking, reserve, book
availability: free, free slot, available, when can, possible time, up, time for
free: available
busy: available, free, occupied, time for
invite: ask
instance: server, machine, copy, occurrence, dates, repetition, vm, recurring
recurring: weekly, monthly, every week, repeat, standing, regular
scheduled: standing, planned, later, recurring, regular, future
shift: working hours, work, clock in, worked, duty
timesheet: hours, worked, time spent
labor: work, employee, working hours
wage: salary, pay, earn, earnings, per hour
payroll: salary, wages
spent: time, hours, worked, log
timer: automatically, countdown, later, at a certain time
due: deadline, until when, when must, finish by, overdue
deadline: due, until when, finish by
task: todo, to-do, to do, work, job, thing to do, something to do, assignment, duty
todo: task, things to do, waiting for me, to do, have to do, got to do
card: task, todo, to-do, ticket, what have i got to do, new to-do
checklist: list, steps, to-do list
item: entry, thing, element, article, product, piece
subtask: smaller task, part of a task, step, child, break into, smaller ones
dependency: wait for, depends on, before, needs, library, package, blocked by
milestone: goal, stage, target, sprint
project: plan, undertaking, repo, work
goal: target, objective, okr, aim
objective: goal, target, aim
board: columns, kanban, wall
list: column, row of cards
section: column, part, heading
sprint: iteration, two weeks
issue: bug, problem, ticket, defect, task, trouble, error report, report
ticket: issue, problem, request, help desk, bug, complaint, support
support: help desk, help, customer service, complaint
incident: outage, problem, trouble, failure
priority: urgent, important, urgency
status: state, condition, how is, progress, is it done, up, health, end _ running, close, open, passed, failed, reopen, traffic light, on vacation, set _ as
state: status, condition, tick off, done
progress: how far, status, percent
estimate: how long
job: task, run, work, position, build
repository: repo, code, project, git, source code
branch: line of development, version
commit: change, revision, history
pull: merge request, my branch, code review, propose, change request
tree: folder contents, directory, files in a repo, list files
blob: file, content
contents: file, read a file, text of a file
content: file, body, text, inside, what is in
file: document, attachment, doc, pdf, data
hook: webhook, call my server, notify, callback, url that is called, tell my server, when someone, be told, events
webhook: call my server, tell my server, notify, push to my server, callback, when something happens, events, pushed to my server, hook, be told, inform, let me know
callback: webhook, call back, notify
build: compile, ci, run, make
builds: ci, runs, compile, artifacts
pipeline: ci, build, workflow, run
workflow: pipeline, automation, ci, process, flow
action: ci, workflow, activity, what happened, event, operation
runs: ci, build, execution, passed, failed
runner: build machine, ci machine, agent
artifact: what the build produced, output, result, product, build result
trace: output, log, protocol, show its output
log: output, protocol, what happened, history, print, journal, trace
logs: output, protocol, what happened, history, print
deployment: version online, put online, release, go live, ship
environment: stage, staging, production, variable
env: environment variable, secret, setting, variable, configuration value
variable: setting, value, secret, password, environment, parameter
secret: password, key, token, credential, hidden value, password for ci, store a password
package: library, module, dependency, npm
library: package, collection, saved
module: part, package, component
plugin: extension, add-on, addon
addon: extension, plugin, extra
extension: plugin, add-on
version: release, revision, history, newer, older, edition
versions: history, revisions, older, earlier
revision: version, history, older, earlier
history: past, earlier, previous, log, what changed, versions, old, timeline, been
changelog: what is new, release notes
license: licence, permission to use
vulnerability: security hole, weakness, known problem, cve, unsafe, advisory
advisory: security hole, vulnerability, warning
scanning: search for leaked, check, scan
component: element, part, building block, symbol
variant: version, kind, option
style: look, design, colour, font
design: look, layout
node: element, machine, object, frame, layer
retention: keep for years, how long to keep, keep files for, keep for seven years
legal: court, lawsuit
metadata: who last changed, when was, last touched, without its content, facts about
meta: facts about, last touched, without its content
activity_log: audit trail, who did what
audit_log: audit trail, who did what
worklog: time spent, hours
epic: big task, big story
backlog: to be done later
custom_field: own field, own column
dropdown: choice, select
check: ci, passed, failed
dispatch: start by hand, trigger, start
run: did _ pass, last builds
protection: nobody may, prevent, direct push, protect
review: approve, sign off
diff: what would change, changes between
ref: branch, tag
stash: put aside
release_note: what is new
feature_flag: switch a feature, turn a feature on, toggle
flag: toggle, feature switch
experiment: a/b test, try out variants
split: a/b test, divide
rate_limit: how many calls, calls left, requests left, api calls, throttle
exception: error, crash
crash: error, failure
stack: group of services
function: lambda, script, code that runs
queue: waiting line, jobs waiting
cron: every night, every hour, regularly
environment_variable: setting for the build, secret for the build
`;
