/** Data: groups of words that stand for one another. See ../lexicon.ts for how a line is read. */
export const GROUPS = `
delete remove destroy erase drop discard purge wipe
remove kick detach leave
create add make new insert
register sign up create
update change edit modify patch alter adjust set
get retrieve fetch read show view list
search find query lookup look locate
send post deliver submit
publish release post
reply respond answer reply comment
comment note remark feedback
start run trigger dispatch launch begin execute resume
stop cancel abort halt end terminate kill
pause stop suspend
retry rerun again redeliver repeat
close finish complete resolve done
user member person account people collaborator
person people somebody someone anybody anyone everybody everyone colleague teammate user member
employee staff colleague user member
participant attendee member
group team
organization org company workspace enterprise
file document doc
folder directory
image picture photo
avatar photo picture
song track music title
band artist musician singer
record album
podcast show
server machine vm instance host
virtual machine instance vm
disk volume storage drive
money fund balance payment amount
pay charge payment
bill invoice billing
spend cost billing usage invoice
discount coupon promotion promo code
payout bank withdraw
chargeback dispute
plan subscription price
price cost
like save favorite favourite star heart
reaction emoji react thumb
name title rename
label tag
bug issue problem ticket defect
branch ref
history version revision
version revision
login session authentication
authentication auth login
credential secret token key password
password authentication credential
permission access role right
invite invitation add
archive hide
column section list
todo task
notify notification alert
warn alert warning
remind reminder
webhook hook callback
notify webhook subscribe
event webhook
deploy deployment release
redeploy deployment
rollback revert restore undo
restore recover undelete
log output
cpu processor
ram memory
dns record domain
region location datacenter
backup snapshot
statistics stats analytics metrics usage insight
view visit traffic
limit quota rate
copy duplicate clone
transfer move
lock protect restrict prevent
share collaboration collaborator
access collaboration permission
link url
next skip
previous earlier older past
recent last latest
current now
online presence active
mute snooze silence
trash bin deleted
upload attach attachment
download content
content body text
preview thumbnail
identity verification verify
passport identity document
contract sign signature
property field attribute metadata
custom property metadata field
option choice enum value
dropdown enum select option
vulnerability security advisory
dependency package
leak secret exposed
library package
language locale
build run workflow job
ci action workflow check
review approve approval
reviewer review
pass success status
fail failure error
people user
size type plan
private vpc network
network vpc
website site url page
uptime availability up
space storage
picture cover image
suggest recommendation recommend
similar related
popular top
favourite favorite top saved
speaker device
phone device
device player
loud volume
shuffle random
repeat loop again
subtask child task
smaller sub
status update state
goal objective okr
owner owned
mail email
html render
person user
direct dm im
dm conversation im direct
channel conversation room
thread reply replies
everyone all user
ephemeral only visible
picture avatar image
modal dialog view
link permalink url
audit activity log event
trail log
rename update
resize update
say comment message
tell message send
lately recent
listen play
next queue
entry record item
item content entry
forbid restrict protect
variable token
source code
component element
frame node
`;
