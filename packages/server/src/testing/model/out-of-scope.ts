const SET_UP = 'sets an application up: each history begins with one that is'
const FILES = 'changes files, not who may have them; has tests of its own'
const SANDBOX = 'is about the sandbox alone, which has no fast path'
const STAFF = 'is about staff, who are not readers'
const VIEWS = 'is about what a member of staff looks at, and changes nothing of readers'
const MAIL =
  'is about the sending of mails, which needs a server: the processes of the heavy run have one'

const CONNECTION =
  'is about the connection to Stripe or a mail server, not about readers; has tests of its own'

const WEBHOOKS = 'sends events again that a webhook endpoint was sent before; has tests of its own'

/** Entry points that no history uses, and why. */
export const OUT_OF_SCOPE: Readonly<Record<string, string>> = {
  'HEAD /d/:token': 'is GET without the body',
  'POST /r2/event/replay': WEBHOOKS,
  'staff POST /webhooks/:id/replay': WEBHOOKS,
  'gatehouse webhook replay': WEBHOOKS,
  'gatehouse webhook deliveries': 'shows what was sent, and changes nothing',
  'gatehouse webhook test': 'sends what the dashboard sends as a test',
  'gatehouse events listen': 'reads events as the site of each history does',
  'gatehouse events trigger': 'makes an event that nothing has caused, for developers',
  'gatehouse app create': SET_UP,
  'gatehouse app set': SET_UP,
  'gatehouse app revoke-key': 'ends a key at once, and with it the history',
  'gatehouse resource create': SET_UP,
  'gatehouse price create': SET_UP,
  'gatehouse price archive': SET_UP,
  'gatehouse price restore': SET_UP,
  'staff POST /resources': SET_UP,
  'staff PATCH /resources/:rid': SET_UP,
  'staff POST /resources/:rid/prices': SET_UP,
  'staff POST /resources/:rid/prices/:price/archive': SET_UP,
  'staff POST /resources/:rid/prices/:price/restore': SET_UP,
  'staff POST /views': VIEWS,
  'staff PATCH /views/:id': VIEWS,
  'staff DELETE /views/:id': VIEWS,
  'staff PATCH /notifications': STAFF,
  'staff POST /settings/mail-preview': 'shows an email and changes nothing',
  'staff POST /access/import/read': 'shows how a file is understood and changes nothing',
  'staff POST /console': 'sends a request that the API receives like any other',
  'staff POST /keys/:id/reveal': 'shows a key and changes nothing',
  'staff POST /keys/:id/revoke': 'ends a key at once, and with it the history',
  'staff PATCH /downloads/:id': FILES,
  'staff DELETE /downloads/:id': FILES,
  'staff POST /downloads/:id/link': 'makes the link that the API makes',
  'staff POST /subscriptions/:id/manage-link': 'makes the link that is in the emails',
  'staff POST /mails/:id/send-again': MAIL,
  'staff POST /mails/send-again-dead': MAIL,
  'gatehouse download create': FILES,
  'gatehouse download replace': FILES,
  'gatehouse download set': FILES,
  'gatehouse download move': FILES,
  'gatehouse download publish': FILES,
  'gatehouse download unpublish': FILES,
  'gatehouse download remove': FILES,
  'gatehouse download link': 'makes the link that the API makes',
  'gatehouse subscription import': 'needs cards of another system; has random tests of its own',
  'gatehouse payment show': 'shows what the list shows',
  'gatehouse payment dispute': SANDBOX,
  'gatehouse payment dismiss': 'takes a note away that staff have dealt with, and nothing else',
  'gatehouse payment rehearse': 'sells with test keys to itself; has tests of its own',
  'gatehouse payments connect': CONNECTION,
  'gatehouse payments show': CONNECTION,
  'gatehouse payments test': CONNECTION,
  'gatehouse clock advance': SANDBOX,
  'gatehouse sandbox reset': SANDBOX,
  'gatehouse sign': 'prints a signature and changes nothing',
  'gatehouse mail show': MAIL,
  'gatehouse mail retry': MAIL,
  'gatehouse mail connect': CONNECTION,
  'gatehouse mail test': CONNECTION,
  'gatehouse mcp': 'calls the management API, which is the staff API',
  'gatehouse staff invite': STAFF,
  'gatehouse staff withdraw': STAFF,
  'gatehouse staff reset': STAFF,
  'gatehouse staff disable': STAFF,
  'gatehouse staff enable': STAFF,
  'gatehouse move': 'needs two databases; its own tests move while others write',
  'gatehouse serve': 'starts a process: the part of the model with real processes does',
}
