/** Data: short forms, and what they stand for in full. */
export const SHORT_FORMS = `
pull request: pr, prs, pull
repository: repo, repos
organization: org, orgs
database: db, dbs, postgres, mysql
virtual machine: vm, vms
kubernetes: k8s
direct message: dm
configuration: config
authentication: auth
information: info
application: app, apps
environment: env
image: img, png, jpg
picture: pic
document: doc, docs, pdf
message: msg
administrator: admin
address: ip
workflow action check: ci
identifier: id
statistics: stats
permission: perms
container: docker
`;
