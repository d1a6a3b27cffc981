/** Data: money and trade, media, and the common things of APIs. See ../lexicon.ts for how a line is read. */
export const THINGS = `
payment: money, pay, transaction, paid, charge, card payment, bill
payments: sold, money, takings, paid
payout: move money, to our bank, withdraw, bank, pay out, money to our bank, send money to the bank
balance: how much money, money, funds, left on the account, credit
transaction: booking, payment, movement, purchase, what i spent, bought, entry, spend, spent, expense, money, movement of money
transactions: bookings, payments, movements, what i spent, bought, spend, purchases, expenses, everything i bought, money moved
invoice: bill, owe, billing
invoices: bills, what do i owe, past bills
billing: bill, pay, cost, cards, invoice, costs
price: cost, how much is, fee, amount, expensive
pricing: cost, price, how much
cost: price, how much, expensive, spend, spending
fee: cost, charge, commission
amount: how much, sum, price
currency: money, dollar, euro, exchange rate
tax: vat, duty
discount: coupon, cheaper, rebate, voucher, promo code, reduction, percent off
coupon: discount, voucher, promo code, promotion, percent off, money off
promo: voucher, coupon, discount, code, redeem
promotion: discount, coupon, voucher, advert
gift: voucher, present
dispute: chargeback, complaint, contest, fight, contested payment
disputes: chargebacks, complaints
evidence: proof, fight, documents
debt: owe
bank: money, account
card: credit card, pay with, debit card
cards: credit cards, saved cards
payment_method: credit card, card, way to pay, pay with
method: way, credit card, card
customer: client
checkout: pay, buy, payment page, hosted page, cart
cart: basket, shopping
basket: cart
product: article, item, goods, thing we sell
catalog: products, price, goods, articles, what we sell, assortment
inventory: stock, in stock, how many are left, warehouse, on hand
stock: inventory, how many are left, warehouse
count: how many, number of
counts: how many, in stock, left
quantity: how many, amount
order: purchase, buy, place an order
sale: sold, sell, order
merchant: shop, seller, business
vendor: supplier, seller
supplier: vendor
payee: shop, who i pay, recipient, paid to
budget: money, plan
expense: spend, spent, cost, spending
loyalty: bonus, points, reward, regulars
reward: bonus, prize, points
accumulate: give points, add points, collect, bonus
plan: tariff, subscription, price, package
quota: limit, how many left, how much left, allowance
limit: quota, how many left, maximum, rate
rate: limit, price, how many calls, quota
shipment: parcel, delivery, package, send goods
shipping: delivery, parcel, send
delivery: parcel, arrive, shipping, sent
tracking: where is, parcel, follow
return: send back
warehouse: stock, store
store: shop, branch, outlet
shop: store
segment: group of customers, audience, target group
campaign: newsletter, mailing, advertising, marketing
audience: target group, list, recipients, readers
donation: give money
track: song, music, tune, title
song: track, music
playlist: list of songs, mix, songs
album: record, cd
artist: band, singer, musician, act
player: playback, speaker, play, listening, music, playing
playback: play, listen, playing
currently: now, right now, at the moment, playing
recently: last, lately, recent, listened
recent: last, lately, latest, newest, past, opened last, used last, last opened
latest: newest, new, last, recent, most recent
top: best, most popular, favourite, most, popular, most listened, favourite of the last
popular: most liked, best, top, trending
trending: popular, hot
featured: recommended, chosen
recommendation: suggest, similar, like this, might like, something like
related: similar, like this
suggestion: suggest, idea, propose
favorite: favourite, like, star, love, heart
saved: liked, my, favourite, bookmarked, kept, in my library
episode: show, podcast, part
show: podcast, series
shows: podcasts, series
audiobook: book
genre: kind of music, style
lyrics: words of a song, song text
shuffle: random, mix
repeat: loop, again
seek: jump, fast forward, position
next: skip, following, upcoming
previous: last, back, before
upcoming: next, future, soon, will be, coming
past: old, earlier, yesterday, previous, ended, last
video: film, movie, clip, recording
recording: video, watch, tape, past call, film, record
recordings: videos, watch, tape, past calls, films
photo: picture, image
photos: pictures, images
picture: photo, image
thumbnail: small picture, preview, picture
cover: picture, image
media: photo, video, file, picture
livestream: stream, live, broadcast, youtube
stream: live, broadcast
caption: subtitle, text under
subtitle: caption
render: png, picture of, export, image
folder: directory, subfolder, where files are
directory: folder
document: file, paper, page, text, contract
page: document, website, site
site: website, web page, homepage
website: site, page, homepage
url: link, address, web address
settings: preferences, options, configuration, timezone, language, setup
setting: preference, option, configuration, turn, switch
preferences: settings, options
prefs: settings, preferences, options
configuration: settings, setup, config
config: settings, configuration, setup
option: choice, setting, value
options: choices, settings
field: column, property, attribute
property: field, attribute, characteristic
attribute: field, property
metadata: properties, fields, details, extra data, information about
custom: own, special, my own
name: title, called
title: name, heading, called, rename
description: text, about, what it is
summary: overview, short
detail: information, more about
details: information, more about
info: information, details, about
overview: summary, at a glance
analytics: statistics, how many visits, numbers, visits
dashboard: overview
insight: statistics, analytics
view: visit, look
views: visits, how often seen, popular
visit: view
click: how often clicked
result: outcome, answer
score: points, rating, result
leaderboard: best players, ranking
batch: many, several, at once, bulk, hundreds, all at once
bulk: many, several, at once, batch, hundreds
all: every, everything
multiple: several, many
media_group: album, several photos
location: coordinates, where i am, map
venue: place, location
geo: place, map, where
weather: rain, temperature, sun
forecast: tomorrow, prediction
route: way, directions, path, how to get to
trip: journey, travel, ride
flight: plane, fly
hotel: room, stay, accommodation
vehicle: car
dice: die, roll, random number
game: play
quiz: test
language: english, german
timezone: time zone
country: nation, land
city: town
phone: telephone, call, mobile
number: phone, telephone
sms: text message, text
voicemail: message on the phone
phone_number: telephone
blocked: ban, unwanted, blacklist
whitelist: allow
spam: junk, unwanted
mailbox: inbox, mail
newsletter: mailing, campaign
link: url
permalink: link to, url of
share_link: public link
health: medical
course: class, lesson
student: pupil, learner
class: lesson, course
grade: mark
school: college
line_item: position, row of a bill
credit_note: correct a bill, money back on a bill
payment_link: page where people pay, hosted page
topup: add money
wallet: money, purse
ledger: bookkeeping, journal
receipt: proof of payment, bill
statement: account summary
portfolio: my shares, investments
position: shares i hold
trade: buy shares, sell shares
ticker: share price, quote
quote: offer, price, share price
exchange_rate: how many dollars
fulfillment: delivery, shipment
wishlist: want to have
collection: group, set
variant: size and colour
sku: article number
barcode: ean, code on the package
seat: place, ticket
menu: dishes, food
recipe: cooking, dish
reservation: table for
queue: play this next, play next, up next
library: saved, my
podcast: show, episodes
image: logo, icon
gallery: pictures
banner: picture on top
export_image: picture of, png of
search: that contain a word
trash: what was deleted, deleted items
collaborator: invite _ to work on, work on a repo
shared_link: public link, link for everybody
bookmark: link to a page
watermark: mark on a picture
signature_request: have _ signed, get _ signed
envelope: have _ signed, document to sign
alert: warning
elevation: how high
geocode: address to coordinates, where is
directions: how do i get to, way
distance: how far
`;
