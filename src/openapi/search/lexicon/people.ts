/** Data: people, what they may do, and what they write to one another. See ../lexicon.ts for how a line is read. */
export const PEOPLE = `
user: person, people, member, account, somebody, someone, colleague, employee, human, who, customer, login, he, she, troll, guy, staff
member: people, person, user, colleague, participant, who, somebody, someone, employee, belongs to, teammate, everyone, belong, who is in, who are in, who works in, who is on, people in, people on
membership: member, belongs to, part of, belong, put _ into a group, add _ to a group
participant: people, attendee, who was in, who was there, attend, member, guest, attended, joined
attendee: participant, guest, people, who comes, invited
absentee: did not come, no show, missing, absent
contact: person, people, address book, acquaintance, friend
customer: client, buyer, shopper, consumer, user, patron, person
client: customer, buyer, app
employee: staff, worker, colleague, person, people, personnel, team member, co-worker
team: group, crew, department, squad
group: team, circle, department, people, list of people
admin: administrator, chief, boss, in charge, manager, moderator
administrator: admin, chief, in charge, manager
owner: belongs to, in charge, responsible, who owns, possessor, in charge of
author: writer, who wrote, creator
contributor: who wrote, people who wrote, wrote code, worked on, author
collaborator: work on, colleague, may write, people with access, member, work with, person, somebody
collaboration: share, sharing, work together, access, shared with, may see
delegate: assistant, deputy, on my behalf, act for me, representative
follower: fan, subscriber, who follows
assignee: responsible, working on, assigned, who does
reviewer: who checks, review, look at my
profile: about me, who am i, my account, own account, myself, personal data
me: my, myself, who am i, own
account: profile, user, customer, login, tenant, my data
organization: company, firm, org, workspace, business, enterprise
workspace: organization, company, team, office
company: firm, business, organization, enterprise
role: right, position, permission, job, function, what _ may do
permission: right, access, may, allowed, what _ may do, what can _ do, privilege, grant, who may, public, private
grant: right, access, may, what _ may do, privilege, permission
access: right, permission, may, allowed, let _ see, who may, login, rights
acl: access, share, sharing, let _ see, who may, permission, right, rule
share: let _ see, give access, show to, send, public link, collaborate, hand out
sharing: let _ see, give access, shared, who may see, public
public: everybody, everyone, open, visible, world
private: secret, only me, hidden, direct
avatar: profile picture, profile photo, photo, picture, my face, image
friend: buddy, contact, pal
patient: person, sick, client
guest: visitor, participant, outside person, outsider, external
visitor: guest, people on my site, traffic
message: mail, text, write to, dm, note, chat, post, say, what was said, email, send, conversation
email: mail, message, address, letter, e-mail
mail: email, message, letter
inbox: mailbox, mail, incoming
draft: unfinished, not sent, save for later, to be sent later, later
thread: conversation, discussion, replies, talk
conversation: thread, discussion, channel, talk, chat, dialogue, direct message, replies
discussion: thread, talk, debate, topic, conversation
topic: discussion, thread, subject, theme
chat: message, talk, room, conversation, group
channel: room, chat, group, conversation
room: channel, chat, place, hall
comment: remark, note, say, reply, feedback, opinion, what was said, annotation, write under
note: comment, remark, memo, annotation, text
story: task, requirement, post
post: message, article, entry, blog
article: post, text, story, blog, page
forum: board, discussion
reply: answer, response, respond
reaction: emoji, react, thumbs up, like, heart, smile, high five, clap
emoji: smiley, reaction, thumbs up, heart, icon
sticker: picture, decal, emoji
attachment: file, document, enclosed, came with, attach, enclosure
notification: alert, message, news, unread, notify, tell me, be told, ping
alert: warning, notification, notify, alarm, problem, tell me when
announcement: news, tell everybody, tell everyone
news: latest, headline, new
feed: stream, news, timeline
unread: new, not seen, not read, anything new, not yet read
read: seen, mark as seen, unread
signature: sign, footer
vacation: out of office, away, holiday, absence, absent
forwarding: pass on, send on, pass _ on, another address, redirect
label: tag, category, mark, folder, sort, colour
tag: label, keyword, category, mark
category: kind, section, class, topic, group, type
filter: rule, sort automatically, sort incoming, automatically, condition
snippet: paste, code sample, piece of code, small text, script
survey: questionnaire, ask people, poll, form
poll: vote, ask people, survey, choose
question: ask, asked
answer: reply, response
qa: question, asked, questions and answers
form: questionnaire, fill in, survey
submission: entry, fill in, filled in, sent in, answers, contact form, what people wrote
response: answer, reply, result
feedback: opinion, review, comment, rating, how did they like
review: rating, opinion, feedback, check, approve, stars, approval
rating: stars, review, score, how good
template: pattern, boilerplate, form letter, model, blank
members: who is in, who are in, who works in, who is on, people in, people on
users: who is in, who works in, everybody, all people
subscriber: reader, listener, who subscribed, who reads
participants: who takes part, who is in
lead: prospect, possible customer
applicant: candidate, who applied
candidate: applicant, job seeker
doctor: physician, practitioner
provider: doctor, supplier
nickname: other name
birthday: born
presence: online, is _ online, active, away
ephemeral: only they can see, only visible to, only you can see
direct_message: private message, write privately
mention: names me, at me
history: last messages, read the last, said before
caption: subtitles
hashtag: tag
timeline: feed, latest posts
newsletter: mail to all customers
bounce: undeliverable, mail came back
suppression: do not mail, unsubscribed
`;
