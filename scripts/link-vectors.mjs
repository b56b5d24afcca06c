// Writes packages/sdk/link-vectors.json: purchase links and return URLs, and whether they are valid.
// With --check it changes nothing, and fails if the committed file differs.
//
// The expected values are written by hand or computed here, with node:crypto alone: none of Gatehouse's own
// code is used, so that the file can judge it.
import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const DAILY = { aid: 'DaiLy00001', keys: ['k9Jq2Xv7Lm4Rt8Wz1Yb5Nc3Hd6Fg0Ps9Qa2Ue7Ik'] }
// In the middle of a key rotation, both keys are valid.
const WEEKLY = {
  aid: 'WEEKLY2222',
  keys: ['0000000000000000000000000000000000000001', 'ZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZ'],
}
const [KEY] = DAILY.keys
const PURPOSES = { purchase_link: 'gatehouse purchase link v1', return: 'gatehouse return v1' }
const NOW = 1_700_000_000
const LATER = NOW + 3_600

const mac = (key, text) => createHmac('sha256', key).update(text, 'latin1').digest()
const keyFor = (purpose, key) => mac(key, PURPOSES[purpose])
const sign = (purpose, key, text) => mac(keyFor(purpose, key), text).toString('base64url')

const flipped = (text, at) => {
  const character = text.at(at) === 'A' ? 'B' : 'A'
  return text.slice(0, at) + character + text.slice(at + 1)
}

// 43 characters hold 258 bits, but a MAC has 256: four different last characters decode to the same bytes.
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const twinOf = (signature) =>
  signature.slice(0, -1) + ALPHABET[ALPHABET.indexOf(signature.at(-1)) + 1]

// ---- purchase links ------------------------------------------------------------------------------

const purchaseLinks = []

/** `text` and `parameters` are written by hand; `madeFrom` is the input from which the SDK must make the link. */
function goodLink(
  name,
  text,
  { rid, parameters, madeFrom = null, app = DAILY, key = app.keys[0] },
) {
  const signature = sign('purchase_link', key, text)
  const target = `${text}&signature=${signature}`
  const expect = { ok: true, key, rid, signed_text: text, signature, parameters }
  purchaseLinks.push({ name, aid: app.aid, target, now: NOW, made_from: madeFrom, expect })
  return target
}

function badLink(reason, name, target, { aid = DAILY.aid, now = NOW } = {}) {
  purchaseLinks.push({ name, aid, target, now, made_from: null, expect: { ok: false, reason } })
}

const TEXT = `/checkout/DaiLy00001/spring-issue?price=pr1&user_ref=ann&expires=${LATER}`
const LINK = goodLink('a price of a resource, for a reader', TEXT, {
  rid: 'spring-issue',
  parameters: [
    ['price', 'pr1'],
    ['user_ref', 'ann'],
    ['expires', String(LATER)],
  ],
  madeFrom: { rid: 'spring-issue', price: 'pr1', user_ref: 'ann', expires: LATER },
})
const SIGNATURE = LINK.slice(-43)

goodLink('all prices of a resource', `/checkout/DaiLy00001/news?expires=${LATER}`, {
  rid: 'news',
  parameters: [['expires', String(LATER)]],
  madeFrom: { rid: 'news', expires: LATER },
})
goodLink(
  'terms of its own for a resource that the purchase creates',
  `/checkout/DaiLy00001/a%2Fb%3Fc%27?name=Caf%C3%A9%20%26%20more&url=https%3A%2F%2Fexample.com%2Fa%3Fb%3Dc&amount=4.99&currency=EUR&period=1%20month&recurring=true&trial_days=14&user_ref=u%2B1&email=ann%40example.com&return_url=https%3A%2F%2Fexample.com%2Fthanks&expires=${LATER}`,
  {
    rid: "a/b?c'",
    parameters: [
      ['name', 'Café & more'],
      ['url', 'https://example.com/a?b=c'],
      ['amount', '4.99'],
      ['currency', 'EUR'],
      ['period', '1 month'],
      ['recurring', 'true'],
      ['trial_days', '14'],
      ['user_ref', 'u+1'],
      ['email', 'ann@example.com'],
      ['return_url', 'https://example.com/thanks'],
      ['expires', String(LATER)],
    ],
    madeFrom: {
      rid: "a/b?c'",
      name: 'Café & more',
      url: 'https://example.com/a?b=c',
      amount: '4.99',
      currency: 'EUR',
      period: '1 month',
      recurring: true,
      trial_days: 14,
      user_ref: 'u+1',
      email: 'ann@example.com',
      return_url: 'https://example.com/thanks',
      expires: LATER,
    },
  },
)
goodLink(
  'a plus for a space, small letters in escapes, another order',
  `/checkout/DaiLy00001/news?expires=${LATER}&user_ref=ann+lee&name=caf%c3%a9`,
  {
    rid: 'news',
    parameters: [
      ['expires', String(LATER)],
      ['user_ref', 'ann lee'],
      ['name', 'café'],
    ],
  },
)
goodLink('its last second', `/checkout/DaiLy00001/news?expires=${NOW + 1}`, {
  rid: 'news',
  parameters: [['expires', String(NOW + 1)]],
  madeFrom: { rid: 'news', expires: NOW + 1 },
})
for (const [which, key] of [
  ['older', WEEKLY.keys[0]],
  ['newer', WEEKLY.keys[1]],
]) {
  goodLink(`the ${which} of two live keys`, `/checkout/WEEKLY2222/news?expires=${LATER}`, {
    rid: 'news',
    parameters: [['expires', String(LATER)]],
    app: WEEKLY,
    key,
  })
}

const expiredText = `/checkout/DaiLy00001/news?expires=${NOW}`
const expired = `${expiredText}&signature=${sign('purchase_link', KEY, expiredText)}`
badLink('expired', 'the second at which it ends', expired)
badLink('expired', 'long after its end', LINK, { now: LATER + 1_000_000 })
badLink('invalid', 'past its end, and forged', `${expired.slice(0, -43)}${flipped(SIGNATURE, 5)}`)

for (const [name, target] of [
  ['no signature', TEXT],
  ['an empty signature', `${TEXT}&signature=`],
  ['42 characters', LINK.slice(0, -1)],
  ['44 characters', `${LINK}A`],
  ['padding', `${LINK}=`],
  ['padding, escaped', `${LINK}%3D`],
  ['a text that a loose decoder takes for the signature', `${TEXT}&signature=${twinOf(SIGNATURE)}`],
  ['the first character of the signature changed', `${TEXT}&signature=${flipped(SIGNATURE, 0)}`],
  ['the last character of the signature changed', `${TEXT}&signature=${flipped(SIGNATURE, 42)}`],
  ['hexadecimal', `${TEXT}&signature=${mac(keyFor('purchase_link', KEY), TEXT).toString('hex')}`],
  ['a parameter behind the signature', `${LINK}&email=eve%40example.com`],
  ['an empty pair behind the signature', `${LINK}&`],
  ['the signature first', `${TEXT.replace('?', `?signature=${SIGNATURE}&`)}`],
  ['the signature twice', `${LINK}&signature=${SIGNATURE}`],
  ['the name of the signature in capitals', `${TEXT}&Signature=${SIGNATURE}`],
  ['the name of the signature escaped', `${TEXT}&%73ignature=${SIGNATURE}`],
  ['another resource', LINK.replace('spring-issue', 'summer-issue')],
  ['another application', LINK.replace('DaiLy00001', 'WEEKLY2222')],
  ['another price', LINK.replace('pr1', 'pr2')],
  ['another reader', LINK.replace('=ann', '=eve')],
  ['another end', LINK.replace(String(LATER), String(LATER + 1))],
  ['a parameter more', LINK.replace('?', '?amount=0.01&')],
  ['a parameter less', LINK.replace('&user_ref=ann', '')],
  ['parameters in another order', LINK.replace('price=pr1&user_ref=ann', 'user_ref=ann&price=pr1')],
  ['a letter escaped', LINK.replace('=ann', '=%61nn')],
  ['a letter of the path escaped', LINK.replace('spring', '%73pring')],
  ['the prefix of the sandbox before it', `/sandbox${LINK}`],
  ['the whole address', `https://access.example.com${LINK}`],
  ['a fragment', `${LINK}#top`],
  ['a space behind it', `${LINK} `],
  ['nothing at all', ''],
]) {
  badLink('invalid', name, target)
}
const wronglySigned = (name, text, signature) =>
  badLink('invalid', name, `${text}&signature=${signature}`)
wronglySigned('signed with the private key itself', TEXT, mac(KEY, TEXT).toString('base64url'))
wronglySigned('signed as a request', TEXT, mac(KEY, `GET ${TEXT}`).toString('base64url'))
wronglySigned('signed as a return', TEXT, sign('return', KEY, TEXT))
wronglySigned(
  'signed with another application’s key',
  TEXT,
  sign('purchase_link', WEEKLY.keys[0], TEXT),
)
wronglySigned(
  'signed with the derived key written as text',
  TEXT,
  mac(keyFor('purchase_link', KEY).toString('base64url'), TEXT).toString('base64url'),
)
for (const [name, query] of [
  ['no end', 'user_ref=ann'],
  ['an empty end', 'user_ref=ann&expires='],
  ['two ends', `expires=${LATER}&expires=${LATER + 1}`],
  ['an end that is no number', 'expires=never'],
  ['an end before 1970', 'expires=-1'],
  ['an end with a fraction', `expires=${LATER}.5`],
  ['an end in hexadecimal', 'expires=0xffffffff'],
]) {
  const text = `/checkout/DaiLy00001/news?${query}`
  wronglySigned(`${name}, well signed`, text, sign('purchase_link', KEY, text))
}
const foreign = '/r2/access/search?expires=1900000000'
wronglySigned('a path of the API, well signed', foreign, sign('purchase_link', KEY, foreign))

// ---- returns ---------------------------------------------------------------------------------------

const returns = []

/** `text` is written by hand: path and query as a browser requests them, up to the signature. */
function goodReturn(
  name,
  returnUrl,
  values,
  { origin = 'https://example.com', text, hash = '', expected = {} },
) {
  const url = `${origin}${text}&gatehouse_signature=${sign('return', KEY, text)}${hash}`
  returns.push({
    name,
    aid: DAILY.aid,
    return_url: returnUrl,
    values,
    url,
    expected,
    now: NOW,
    expect: { ok: true, signed_text: text },
  })
  return url
}

function badReturn(reason, name, url, { expected = {}, now = NOW } = {}) {
  const rest = { return_url: null, values: null, url, expected, now, expect: { ok: false, reason } }
  returns.push({ name, aid: DAILY.aid, ...rest })
}

const VALUES = { status: 'paid', checkout: 'co1', rid: 'spring-issue', user_ref: 'ann', time: NOW }
const PAID = `gatehouse_status=paid&gatehouse_checkout=co1&gatehouse_rid=spring-issue&gatehouse_user_ref=ann&gatehouse_time=${NOW}`
const RETURN = goodReturn('no query of its own', 'https://example.com/thanks', VALUES, {
  text: `/thanks?${PAID}`,
})
goodReturn('no path', 'https://example.com', VALUES, { text: `/?${PAID}` })
goodReturn('a question mark at its end', 'https://example.com/thanks?', VALUES, {
  text: `/thanks?${PAID}`,
})
goodReturn('a query of its own', 'https://example.com/thanks?a=1&b=%C3%A9+%20', VALUES, {
  text: `/thanks?a=1&b=%C3%A9+%20&${PAID}`,
})
goodReturn('a fragment', 'https://example.com/thanks#top', VALUES, {
  text: `/thanks?${PAID}`,
  hash: '#top',
})
goodReturn('query and fragment', 'https://example.com/thanks?a=1#top?b=2', VALUES, {
  text: `/thanks?a=1&${PAID}`,
  hash: '#top?b=2',
})
goodReturn('a quote, which browsers escape in a query', "https://example.com/it's?it's=1", VALUES, {
  text: `/it's?it%27s=1&${PAID}`,
})
goodReturn('a port', 'http://localhost:3000/thanks', VALUES, {
  origin: 'http://localhost:3000',
  text: `/thanks?${PAID}`,
})
const { user_ref: _, ...nobody } = VALUES
const NOBODY = goodReturn('no reader', 'https://example.com/thanks', nobody, {
  text: `/thanks?gatehouse_status=paid&gatehouse_checkout=co1&gatehouse_rid=spring-issue&gatehouse_time=${NOW}`,
})
goodReturn(
  'names that must be escaped',
  'https://example.com/thanks',
  { ...VALUES, rid: 'a/b&c=é', user_ref: "o'neil + 1" },
  {
    text: `/thanks?gatehouse_status=paid&gatehouse_checkout=co1&gatehouse_rid=a%2Fb%26c%3D%C3%A9&gatehouse_user_ref=o%27neil%20%2B%201&gatehouse_time=${NOW}`,
  },
)
goodReturn(
  'values that stood in the address before, which are taken out',
  'https://example.com/thanks?gatehouse_rid=gold&a=1&gatehouse%5Fuser_ref=eve&GATEHOUSE_status=paid',
  VALUES,
  { text: `/thanks?a=1&${PAID}` },
)

for (const [name, url] of [
  ['another resource', RETURN.replace('spring-issue', 'summer-issue')],
  ['another reader', RETURN.replace('=ann', '=eve')],
  ['another checkout', RETURN.replace('=co1', '=co2')],
  ['another time', RETURN.replace(`=${NOW}`, `=${NOW + 1}`)],
  ['another path', RETURN.replace('/thanks', '/thank')],
  ['a slash behind the path', RETURN.replace('/thanks', '/thanks/')],
  ['a query put in front', RETURN.replace('?', '?a=1&')],
  ['a parameter behind the signature', `${RETURN}&gatehouse_rid=gold`],
  ['a letter escaped', RETURN.replace('=ann', '=%61nn')],
  ['a letter that has the byte of another in it', RETURN.replace('=ann', '=\u0161nn')],
  ['the status left out', RETURN.replace('gatehouse_status=paid&', '')],
  ['the checkout left out', RETURN.replace('gatehouse_checkout=co1&', '')],
  ['the resource left out', RETURN.replace('gatehouse_rid=spring-issue&', '')],
  ['the reader left out', RETURN.replace('gatehouse_user_ref=ann&', '')],
  ['the time left out', RETURN.replace(`gatehouse_time=${NOW}&`, '')],
  ['the signature cut', RETURN.slice(0, -1)],
  ['a character more in the signature', `${RETURN}A`],
  [
    'a text that a loose decoder takes for the signature',
    RETURN.slice(0, -43) + twinOf(RETURN.slice(-43)),
  ],
]) {
  badReturn('altered', name, url)
}
const wrongReturn = (name, signature, text = `/thanks?${PAID}`) =>
  badReturn('altered', name, `https://example.com${text}&gatehouse_signature=${signature}`)
const asText = `/thanks?${PAID}`
wrongReturn('signed as a purchase link', sign('purchase_link', KEY, asText))
wrongReturn('signed as a request', mac(KEY, `GET ${asText}`).toString('base64url'))
wrongReturn('signed with another application’s key', sign('return', WEEKLY.keys[0], asText))
for (const [name, text] of [
  ['a status that is not known', `/thanks?${PAID.replace('=paid', '=open')}`],
  ['a resource given twice', `/thanks?gatehouse_rid=gold&${PAID}`],
  ['a time that is no number', `/thanks?${PAID.replace(`=${NOW}`, '=now')}`],
]) {
  wrongReturn(`${name}, well signed`, sign('return', KEY, text), text)
}

badReturn('not_signed', 'nothing of ours', 'https://example.com/thanks')
badReturn('not_signed', 'no signature', `https://example.com/thanks?${PAID}`)
badReturn('too_old', 'older than ten minutes', RETURN, { now: NOW + 601 })
badReturn('too_old', 'older than was wanted', RETURN, { expected: { max_age: 5 }, now: NOW + 6 })
badReturn('too_old', 'from the future', RETURN, { now: NOW - 601 })
badReturn('other_user', 'for another reader', RETURN, { expected: { user_ref: 'eve' } })
badReturn('other_user', 'for no reader', NOBODY, { expected: { user_ref: 'ann' } })
badReturn('other_resource', 'for another resource', RETURN, { expected: { rid: 'gold' } })

// A return to one site of an application is not valid for another site.
const SITE = 'https://example.com'
const withSite = { ...VALUES, origin: SITE }
const SITE_RETURN = goodReturn('a site', 'https://example.com/thanks', withSite, {
  text: `/thanks?${PAID}&gatehouse_origin=https%3A%2F%2Fexample.com`,
  expected: { origin: SITE },
})
badReturn('other_site', 'for another site', SITE_RETURN.replace(SITE, 'https://other.example'), {
  expected: { origin: 'https://other.example' },
})
badReturn('other_site', 'for no site', RETURN, { expected: { origin: SITE } })

// ---- the file --------------------------------------------------------------------------------------

const ABOUT = [
  'Signed purchase links and return addresses and whether they are good, for clients and servers in any language.',
  '"applications": the AIDs that are known, with their live private keys. "purposes": each kind of link is signed with a key of its own, HMAC-SHA-256 of the private key over the text of the purpose (32 bytes, used as they are).',
  '"purchase_links": aid, target (from /checkout/ on, as it is on the wire), now (seconds). "made_from": what the SDK is given to make it, or null; another encoder may write the same otherwise, and signs what it wrote.',
  '"expect" of a good link: ok true, the key that signed it, the rid, signed_text and its signature, and the parameters, decoded, in order. Of a bad one: ok false and the reason: invalid or expired.',
  '"returns": aid, url (what the buyer comes back with), expected (what a reader of it asks for: rid, user_ref, origin, max_age in seconds, 600 unless set), now (seconds). Of good ones also return_url and values, which the service makes the url from.',
  '"expect" of a good return: ok true and signed_text (path and query up to the signature). Of a bad one: ok false and the reason: not_signed, altered, too_old, other_resource, other_user or other_site.',
  'Made by scripts/link-vectors.mjs; docs/sell/purchase-links.md explains the rules.',
]

function makeFile() {
  for (const list of [purchaseLinks, returns]) {
    const names = new Set(list.map(({ name }) => name))
    if (names.size !== list.length) throw new Error('two vectors have one name')
  }
  const lines = (list) => list.map((one) => `    ${JSON.stringify(one)}`).join(',\n')
  const head = { about: ABOUT, purposes: PURPOSES, applications: [DAILY, WEEKLY] }
  const opened = JSON.stringify(head, null, 2).slice(0, -2)
  return `${opened},\n  "purchase_links": [\n${lines(purchaseLinks)}\n  ],\n  "returns": [\n${lines(returns)}\n  ]\n}\n`
}

const path = fileURLToPath(new URL('../packages/sdk/link-vectors.json', import.meta.url))
const text = makeFile()
if (!process.argv.includes('--check')) writeFileSync(path, text)
else if (readFileSync(path, 'utf8') !== text) {
  console.error('packages/sdk/link-vectors.json is stale; run: node scripts/link-vectors.mjs')
  process.exit(1)
}
