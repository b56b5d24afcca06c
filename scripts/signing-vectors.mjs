// Writes packages/sdk/signing-vectors.json: requests, and whether their signature is valid.
// With --check it changes nothing, and fails if the committed file differs.
//
// The expected values are written by hand or computed here, with node:crypto alone: none of Gatehouse's own
// code is used, so that the file can judge it.
import { createHash, createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const DAILY = { aid: 'DaiLy00001', keys: ['k9Jq2Xv7Lm4Rt8Wz1Yb5Nc3Hd6Fg0Ps9Qa2Ue7Ik'] }
// In the middle of a key rotation, both keys are valid.
const WEEKLY = {
  aid: 'WEEKLY2222',
  keys: ['0000000000000000000000000000000000000001', 'ZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZ'],
}
const APPLICATIONS = [DAILY, WEEKLY]
const [KEY] = DAILY.keys
const FORM = 'application/x-www-form-urlencoded'

const mac = (key, text) => createHmac('sha256', key).update(text, 'latin1').digest()
const sign = (key, text) => mac(key, text).toString('base64url')
const header = (text, { aid = DAILY.aid, key = KEY } = {}) => `${aid}:${sign(key, text)}`

const vectors = []

function add(name, request, expect) {
  const { method = 'GET', target, authorization, contentType = null, body = '' } = request
  const one = { method, target, authorization, content_type: contentType, body }
  vectors.push({ name, request: one, expect })
}

/** `signed` and `parameters` ([name, value] in order) are written by hand for each case. */
function good(name, request, signed, parameters, { aid = DAILY.aid, key = KEY } = {}) {
  const authorization = request.authorization ?? [header(signed, { aid, key })]
  const whole = { ...request, authorization }
  add(name, whole, {
    ok: true,
    aid,
    signed_string: signed,
    signature: sign(key, signed),
    parameters,
  })
}

function bad(reason, name, request) {
  add(name, request, { ok: false, reason })
}

const ACCESS = '/r2/access?rid=news&user_ref=ann'
const GRANT = '/r2/access/grant?rid=news&email=ann%40example.com'
const GRANT_PARAMETERS = [
  ['rid', 'news'],
  ['email', 'ann@example.com'],
]

// ---- good ---------------------------------------------------------------------------------------

for (const [name, target, parameters] of [
  [
    'two parameters',
    ACCESS,
    [
      ['rid', 'news'],
      ['user_ref', 'ann'],
    ],
  ],
  ['no query', '/r2/access/search', []],
  ['an empty query', '/r2/access/search?', []],
  ['a name in the path', '/r2/user/Q8sGd1hXc0b2kT5vZr3e', []],
  ['a path that ends with a slash', '/r2/download/?rid=news', [['rid', 'news']]],
  [
    'escapes in upper case',
    '/r2/access?rid=a%2Fb&user_ref=c%3Ad',
    [
      ['rid', 'a/b'],
      ['user_ref', 'c:d'],
    ],
  ],
  [
    'escapes in lower case',
    '/r2/access?rid=a%2fb&user_ref=c%3ad',
    [
      ['rid', 'a/b'],
      ['user_ref', 'c:d'],
    ],
  ],
  [
    'escapes in mixed case',
    '/r2/access?rid=%c3%A9%C3%a9&user_ref=x',
    [
      ['rid', 'éé'],
      ['user_ref', 'x'],
    ],
  ],
  [
    'escapes that were not needed',
    '/r2/access?rid=%6E%65%77%73&user_ref=ann',
    [
      ['rid', 'news'],
      ['user_ref', 'ann'],
    ],
  ],
  [
    'an escaped name',
    '/r2/access?%72id=news&user_ref=ann',
    [
      ['rid', 'news'],
      ['user_ref', 'ann'],
    ],
  ],
  [
    'a plus for a space',
    '/r2/access?rid=news&user_ref=ann+lee',
    [
      ['rid', 'news'],
      ['user_ref', 'ann lee'],
    ],
  ],
  [
    '%20 for a space',
    '/r2/access?rid=news&user_ref=ann%20lee',
    [
      ['rid', 'news'],
      ['user_ref', 'ann lee'],
    ],
  ],
  [
    '%2B for a plus',
    '/r2/access?rid=news&user_ref=ann%2Blee',
    [
      ['rid', 'news'],
      ['user_ref', 'ann+lee'],
    ],
  ],
  [
    'UTF-8 of two bytes',
    '/r2/access?rid=news&user_ref=J%C3%BCrgen',
    [
      ['rid', 'news'],
      ['user_ref', 'Jürgen'],
    ],
  ],
  [
    'UTF-8 of three bytes',
    '/r2/access?rid=news&user_ref=%E6%97%A5%E6%9C%AC',
    [
      ['rid', 'news'],
      ['user_ref', '日本'],
    ],
  ],
  [
    'UTF-8 of four bytes',
    '/r2/access?rid=news&user_ref=%F0%9F%94%91',
    [
      ['rid', 'news'],
      ['user_ref', '🔑'],
    ],
  ],
  [
    'an empty pair in the middle',
    '/r2/access?rid=news&&user_ref=ann',
    [
      ['rid', 'news'],
      ['user_ref', 'ann'],
    ],
  ],
  [
    'an empty pair at the start',
    '/r2/access?&rid=news&user_ref=ann',
    [
      ['rid', 'news'],
      ['user_ref', 'ann'],
    ],
  ],
  [
    'an empty pair at the end',
    '/r2/access?rid=news&user_ref=ann&',
    [
      ['rid', 'news'],
      ['user_ref', 'ann'],
    ],
  ],
  [
    'a value that ends with an equals sign',
    '/r2/access?rid=news&user_ref=YW5u=',
    [
      ['rid', 'news'],
      ['user_ref', 'YW5u='],
    ],
  ],
  [
    'a value full of equals signs',
    '/r2/access?rid=a=b==c&user_ref=x',
    [
      ['rid', 'a=b==c'],
      ['user_ref', 'x'],
    ],
  ],
  ['a name without an equals sign', '/r2/access/search?tag', [['tag', '']]],
  ['an empty value', '/r2/access/search?tag=', [['tag', '']]],
  [
    'a question mark in a value',
    '/r2/access?rid=what?&user_ref=a?b',
    [
      ['rid', 'what?'],
      ['user_ref', 'a?b'],
    ],
  ],
  [
    'a slash in a value',
    '/r2/access?rid=a/b/c&user_ref=x',
    [
      ['rid', 'a/b/c'],
      ['user_ref', 'x'],
    ],
  ],
  [
    'characters that need no escape',
    "/r2/access?rid=-._~!*'()&user_ref=$,;:@",
    [
      ['rid', "-._~!*'()"],
      ['user_ref', '$,;:@'],
    ],
  ],
  [
    'a semicolon does not part parameters',
    '/r2/access?rid=news;user_ref=ann',
    [['rid', 'news;user_ref=ann']],
  ],
  ['brackets are a name like any other', '/r2/access/search?tag%5B%5D=a', [['tag[]', 'a']]],
  ['raw brackets', '/r2/access/search?tag[]=a', [['tag[]', 'a']]],
  [
    'parameters in another order',
    '/r2/access?user_ref=ann&rid=news',
    [
      ['user_ref', 'ann'],
      ['rid', 'news'],
    ],
  ],
  [
    'an unknown parameter',
    '/r2/access?rid=news&user_ref=ann&utm=x',
    [
      ['rid', 'news'],
      ['user_ref', 'ann'],
      ['utm', 'x'],
    ],
  ],
  [
    'an escape of an escape is decoded once',
    '/r2/access?rid=100%2525&user_ref=x',
    [
      ['rid', '100%25'],
      ['user_ref', 'x'],
    ],
  ],
  [
    'line breaks in a message',
    '/r2/access?rid=x&message=a%0D%0Ab',
    [
      ['rid', 'x'],
      ['message', 'a\r\nb'],
    ],
  ],
  [
    'names of properties',
    '/r2/access/search?__proto__=a&constructor=b',
    [
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ],
  ],
  [
    'a very long query',
    `/r2/access?rid=${'r'.repeat(255)}&user_ref=${'%C3%A9'.repeat(255)}`,
    [
      ['rid', 'r'.repeat(255)],
      ['user_ref', 'é'.repeat(255)],
    ],
  ],
]) {
  good(`GET: ${name}`, { target }, `GET ${target}`, parameters)
}

good(
  'GET: one trailing = on the signature',
  { target: ACCESS, authorization: [`${header(`GET ${ACCESS}`)}=`] },
  `GET ${ACCESS}`,
  [
    ['rid', 'news'],
    ['user_ref', 'ann'],
  ],
)
good(
  'GET: with the content type of a form and no body',
  { target: ACCESS, contentType: FORM },
  `GET ${ACCESS}`,
  [
    ['rid', 'news'],
    ['user_ref', 'ann'],
  ],
)
for (const [i, key] of WEEKLY.keys.entries()) {
  good(
    `GET: signed with live key ${i + 1} of 2`,
    { target: ACCESS },
    `GET ${ACCESS}`,
    [
      ['rid', 'news'],
      ['user_ref', 'ann'],
    ],
    { aid: WEEKLY.aid, key },
  )
}

good(
  'POST: parameters in the query, no body',
  { method: 'POST', target: GRANT },
  `POST ${GRANT}`,
  GRANT_PARAMETERS,
)
good(
  'POST: parameters in the query, empty body of a form',
  { method: 'POST', target: GRANT, contentType: FORM },
  `POST ${GRANT}`,
  GRANT_PARAMETERS,
)
good(
  'POST: parameters in the query, empty body of another type',
  { method: 'POST', target: GRANT, contentType: 'application/json' },
  `POST ${GRANT}`,
  GRANT_PARAMETERS,
)
good(
  'POST: no parameters at all',
  { method: 'POST', target: '/r2/access/grant' },
  'POST /r2/access/grant',
  [],
)

const BODY = 'rid=news&email=ann%40example.com'
for (const [name, contentType] of [
  ['as a form', FORM],
  ['as a form with a charset', `${FORM}; charset=UTF-8`],
  ['as a form in upper case', 'Application/X-WWW-Form-URLEncoded'],
]) {
  good(
    `POST: parameters in the body, ${name}`,
    { method: 'POST', target: '/r2/access/grant', contentType, body: BODY },
    `POST /r2/access/grant?${BODY}`,
    GRANT_PARAMETERS,
  )
}
good(
  'POST: an empty query and a form',
  { method: 'POST', target: '/r2/access/grant?', contentType: FORM, body: BODY },
  `POST /r2/access/grant?${BODY}`,
  GRANT_PARAMETERS,
)
good(
  'POST: a query and a form',
  {
    method: 'POST',
    target: '/r2/access/grant?rid=news',
    contentType: FORM,
    body: 'email=ann%40example.com',
  },
  'POST /r2/access/grant?rid=news&email=ann%40example.com',
  GRANT_PARAMETERS,
)
good(
  'POST: a query that ends with & and a form',
  {
    method: 'POST',
    target: '/r2/access/grant?rid=news&',
    contentType: FORM,
    body: 'email=a%40b.c',
  },
  'POST /r2/access/grant?rid=news&&email=a%40b.c',
  [
    ['rid', 'news'],
    ['email', 'a@b.c'],
  ],
)
good(
  'POST: a form with plus, UTF-8 and an empty pair',
  {
    method: 'POST',
    target: '/r2/access/grant',
    contentType: FORM,
    body: 'rid=news&&message=Gr%C3%BC%C3%9Fe+an+alle&email=a%40b.c',
  },
  'POST /r2/access/grant?rid=news&&message=Gr%C3%BC%C3%9Fe+an+alle&email=a%40b.c',
  [
    ['rid', 'news'],
    ['message', 'Grüße an alle'],
    ['email', 'a@b.c'],
  ],
)
good(
  'POST: a form that ends with an equals sign',
  { method: 'POST', target: '/r2/access/grant', contentType: FORM, body: 'rid=bmV3cw==' },
  'POST /r2/access/grant?rid=bmV3cw==',
  [['rid', 'bmV3cw==']],
)

const granted = header(`POST ${GRANT}`)
for (const [name, field] of [
  ['as it is', granted],
  ['with an escaped colon', granted.replace(':', '%3A')],
  ['with an escaped colon in lower case', granted.replace(':', '%3a')],
  ['with padding', `${granted}=`],
  ['with escaped padding', `${granted.replace(':', '%3A')}%3D`],
  ['with escaped padding in lower case', `${granted}%3d`],
]) {
  good(
    `POST: the field authorization ${name}`,
    {
      method: 'POST',
      target: GRANT,
      authorization: [],
      contentType: FORM,
      body: `authorization=${field}`,
    },
    `POST ${GRANT}`,
    GRANT_PARAMETERS,
  )
}

// ---- bad: no header, two headers, or a malformed one ----------------------------------------------

bad('authorization_missing', 'no header', { target: ACCESS, authorization: [] })
bad('authorization_missing', 'no header on a POST', {
  method: 'POST',
  target: GRANT,
  authorization: [],
})
for (const [name, more] of [
  ['on a GET', { method: 'GET' }],
  ['on a PUT', { method: 'PUT' }],
  ['in a body without a type', { contentType: null }],
  ['in a body of plain text', { contentType: 'text/plain' }],
  [
    'in JSON',
    { contentType: 'application/json', body: JSON.stringify({ authorization: granted }) },
  ],
  ['with another field after it', { body: `authorization=${granted}&rid=other` }],
  ['with another field before it', { body: `rid=other&authorization=${granted}` }],
  ['with an empty pair after it', { body: `authorization=${granted}&` }],
  ['with an empty pair before it', { body: `&authorization=${granted}` }],
  ['twice', { body: `authorization=${granted}&authorization=${granted}` }],
  ['with a capital', { body: `Authorization=${granted}` }],
  ['with an escaped name', { body: `%61uthorization=${granted}` }],
  [
    'with an escaped signature',
    { body: `authorization=${granted.slice(0, -1)}%${granted.charCodeAt(53).toString(16)}` },
  ],
  ['with two equals signs', { body: `authorization=${granted}==` }],
  ['with a line break', { body: `authorization=${granted}\r\n` }],
  ['with a plus', { body: `authorization=+${granted}` }],
  ['without a value', { body: 'authorization=' }],
  ['without an equals sign', { body: 'authorization' }],
  ['in the query', { target: `${GRANT}&authorization=${granted}`, body: '' }],
]) {
  bad('authorization_missing', `no header, and the field authorization ${name}`, {
    method: 'POST',
    target: GRANT,
    authorization: [],
    contentType: FORM,
    body: `authorization=${granted}`,
    ...more,
  })
}

const right = header(`GET ${ACCESS}`)
const [AID, SIGNATURE] = right.split(':')
bad('authorization_repeated', 'two headers, the same', {
  target: ACCESS,
  authorization: [right, right],
})
bad('authorization_repeated', 'two headers, the first one right', {
  target: ACCESS,
  authorization: [right, 'x'],
})
bad('authorization_repeated', 'two headers, the second one right', {
  target: ACCESS,
  authorization: ['x', right],
})
bad('authorization_repeated', 'two headers, one empty', {
  target: ACCESS,
  authorization: [right, ''],
})
bad('authorization_repeated', 'two headers of two applications', {
  target: ACCESS,
  authorization: [right, header(`GET ${ACCESS}`, { aid: WEEKLY.aid, key: WEEKLY.keys[0] })],
})
bad('authorization_repeated', 'two headers and the field authorization', {
  method: 'POST',
  target: GRANT,
  authorization: [granted, granted],
  contentType: FORM,
  body: `authorization=${granted}`,
})

/** Standard Base64 differs only where the MAC has + or /: finds a target where it has both. */
function targetWithBothSpecials() {
  for (let i = 0; ; i++) {
    const target = `/r2/access?rid=news&user_ref=ann${i}`
    const text = mac(KEY, `GET ${target}`).toString('base64')
    if (text.includes('+') && text.includes('/')) return { target, text }
  }
}
const standard = targetWithBothSpecials()
bad('authorization_malformed', 'standard Base64 with padding', {
  target: standard.target,
  authorization: [`${AID}:${standard.text}`],
})
bad('authorization_malformed', 'standard Base64 without padding', {
  target: standard.target,
  authorization: [`${AID}:${standard.text.replace('=', '')}`],
})
bad('authorization_malformed', 'one character of standard Base64', {
  target: standard.target,
  authorization: [`${AID}:${standard.text.replaceAll('/', '_').replace('=', '')}`],
})

for (const [name, value] of [
  ['empty', ''],
  ['a space', ' '],
  ['only the AID', AID],
  ['AID and colon', `${AID}:`],
  ['only the signature', SIGNATURE],
  ['colon and signature', `:${SIGNATURE}`],
  ['no colon', `${AID}${SIGNATURE}`],
  ['a space for the colon', `${AID} ${SIGNATURE}`],
  ['an escaped colon', `${AID}%3A${SIGNATURE}`],
  ['two colons', `${AID}::${SIGNATURE}`],
  ['a colon at the end', `${right}:`],
  ['three parts', `${AID}:${SIGNATURE}:${SIGNATURE}`],
  ['two equals signs', `${right}==`],
  ['an escaped equals sign', `${right}%3D`],
  ['an equals sign in front', `${AID}:=${SIGNATURE}`],
  ['42 characters', right.slice(0, -1)],
  ['44 characters', `${right}A`],
  ['42 characters and padding', `${right.slice(0, -1)}=`],
  ['42 characters and two paddings', `${right.slice(0, -1)}==`],
  ['22 characters', `${AID}:${SIGNATURE.slice(0, 22)}`],
  ['a space in front', ` ${right}`],
  ['a space behind', `${right} `],
  ['a space after the colon', `${AID}: ${SIGNATURE}`],
  ['a space before the colon', `${AID} :${SIGNATURE}`],
  ['a space in the signature', `${AID}:${SIGNATURE.slice(0, 20)} ${SIGNATURE.slice(20)}`],
  ['a tab behind', `${right}\t`],
  ['a line break behind', `${right}\n`],
  ['a NUL behind', `${right}\u0000`],
  ['a dot in the signature', `${AID}:${SIGNATURE.slice(0, 42)}.`],
  ['a scheme in front', `Basic ${right}`],
  ['Bearer in front', `Bearer ${SIGNATURE}`],
  ['quotes', `"${right}"`],
  ['a list', `${right}, ${right}`],
  ['an AID of 9 characters', `${AID.slice(1)}:${SIGNATURE}`],
  ['an AID of 11 characters', `${AID}0:${SIGNATURE}`],
  ['an AID with a hyphen', `DaiLy-0001:${SIGNATURE}`],
  ['hexadecimal', `${AID}:${mac(KEY, `GET ${ACCESS}`).toString('hex')}`],
  ['letters of another script', `${AID}:${'\u00e9'.repeat(43)}`],
]) {
  bad('authorization_malformed', `a malformed header: ${name}`, {
    target: ACCESS,
    authorization: [value],
  })
}
bad('authorization_malformed', 'a malformed header is not mended by the field authorization', {
  method: 'POST',
  target: GRANT,
  authorization: [''],
  contentType: FORM,
  body: `authorization=${granted}`,
})

// ---- bad: unknown application ---------------------------------------------------------------------

for (const [name, aid] of [
  ['unknown', 'Unknown001'],
  ['in lower case', AID.toLowerCase()],
  ['in upper case', AID.toUpperCase()],
  ['reversed', [...AID].reverse().join('')],
  ['like a property of every object', 'isPrototyp'],
]) {
  bad('application_unknown', `an AID that is ${name}, signed with a known key`, {
    target: ACCESS,
    authorization: [`${aid}:${SIGNATURE}`],
  })
}
bad('application_unknown', 'an unknown AID on a POST', {
  method: 'POST',
  target: GRANT,
  authorization: [granted.replace(AID, 'Unknown001')],
})
bad('application_unknown', 'an unknown AID in the field authorization', {
  method: 'POST',
  target: GRANT,
  authorization: [],
  contentType: FORM,
  body: `authorization=${granted.replace(AID, 'Unknown001')}`,
})

// ---- bad: signed for something else ----------------------------------------------------------------

const wrong = (name, request) => bad('signature_wrong', name, request)
const signedFor = (target, actual, method = 'GET') => ({
  method,
  target: actual,
  authorization: [header(`${method} ${target}`)],
})

for (const [name, signed, sent] of [
  ['a letter escaped', ACCESS, '/r2/access?rid=%6Eews&user_ref=ann'],
  ['an escape resolved', '/r2/access?rid=%6Eews&user_ref=ann', ACCESS],
  [
    'an escape in the other case',
    '/r2/access?rid=a%2Fb&user_ref=x',
    '/r2/access?rid=a%2fb&user_ref=x',
  ],
  ['a plus for %20', '/r2/access?rid=x&user_ref=a%20b', '/r2/access?rid=x&user_ref=a+b'],
  ['%20 for a plus', '/r2/access?rid=x&user_ref=a+b', '/r2/access?rid=x&user_ref=a%20b'],
  ['a name escaped', ACCESS, '/r2/access?r%69d=news&user_ref=ann'],
  ['the @ escaped', '/r2/access/search?email=a@b.c', '/r2/access/search?email=a%40b.c'],
  ['the @ resolved', '/r2/access/search?email=a%40b.c', '/r2/access/search?email=a@b.c'],
  [
    'UTF-8 composed otherwise',
    '/r2/access?rid=%C3%A9&user_ref=x',
    '/r2/access?rid=e%CC%81&user_ref=x',
  ],
  ['an escaped hyphen', '/r2/access?rid=a-b&user_ref=x', '/r2/access?rid=a%2Db&user_ref=x'],
  ['an escaped slash in the path', ACCESS, ACCESS.replace('/access', '%2Faccess')],
  ['parameters reordered', ACCESS, '/r2/access?user_ref=ann&rid=news'],
  ['a parameter repeated', ACCESS, `${ACCESS}&rid=news`],
  ['a parameter appended', ACCESS, `${ACCESS}&show_expired=true`],
  ['a parameter put in front', ACCESS, ACCESS.replace('?', '?show_expired=true&')],
  ['a parameter appended with a semicolon', ACCESS, `${ACCESS};show_expired=true`],
  ['a parameter left out', ACCESS, '/r2/access?rid=news'],
  ['a value changed', ACCESS, '/r2/access?rid=news&user_ref=bob'],
  ['the case of a value changed', ACCESS, '/r2/access?rid=news&user_ref=Ann'],
  ['an empty pair appended', ACCESS, `${ACCESS}&`],
  ['an empty pair in the middle', ACCESS, ACCESS.replace('&', '&&')],
  ['an equals sign appended', ACCESS, `${ACCESS}=`],
  ['an empty query appended', '/r2/access/search', '/r2/access/search?'],
  ['an empty query removed', '/r2/access/search?', '/r2/access/search'],
  ['the query left out', ACCESS, '/r2/access'],
  ['another path', ACCESS, ACCESS.replace('/access', '/access/search')],
  ['a slash after the path', ACCESS, ACCESS.replace('?', '/?')],
  ['a double slash', ACCESS, ACCESS.replace('/r2/', '/r2//')],
  ['a dot segment', ACCESS, ACCESS.replace('/r2/', '/r2/./')],
  ['the path in another case', ACCESS, ACCESS.replace('access', 'Access')],
  ['another user', '/r2/user/Q8sGd1hXc0b2kT5vZr3e', '/r2/user/Q8sGd1hXc0b2kT5vZr3f'],
]) {
  wrong(`sent otherwise than signed: ${name}`, signedFor(signed, sent))
}

for (const [name, text] of [
  ['with the host', `GET access.example.com${ACCESS}`],
  ['with the whole address', `GET https://access.example.com${ACCESS}`],
  ['with the prefix of the sandbox', `GET /sandbox${ACCESS}`],
  ['with the version', `GET ${ACCESS} HTTP/1.1`],
  ['with the method in lower case', `get ${ACCESS}`],
  ['without the method', ACCESS],
  ['without the space', `GET${ACCESS}`],
  ['with two spaces', `GET  ${ACCESS}`],
  ['with a line break at the end', `GET ${ACCESS}\n`],
  ['with the path alone', 'GET /r2/access'],
  ['without the first slash', `GET ${ACCESS.slice(1)}`],
  ['nothing at all', ''],
]) {
  wrong(`a string signed ${name}`, { target: ACCESS, authorization: [header(text)] })
}

wrong('signed as GET, sent as POST', {
  method: 'POST',
  target: GRANT,
  authorization: [header(`GET ${GRANT}`)],
})
wrong('signed as POST, sent as GET', { target: ACCESS, authorization: [header(`POST ${ACCESS}`)] })
wrong('signed as GET, sent as HEAD', { method: 'HEAD', target: ACCESS, authorization: [right] })
wrong('signed as GET, sent as DELETE', { method: 'DELETE', target: ACCESS, authorization: [right] })

wrong('signed with the key of another application', {
  target: ACCESS,
  authorization: [header(`GET ${ACCESS}`, { key: WEEKLY.keys[0] })],
})
wrong('signed by one application, sent as another', {
  target: ACCESS,
  authorization: [header(`GET ${ACCESS}`, { aid: WEEKLY.aid })],
})
wrong('signed with a key that is dead', {
  target: ACCESS,
  authorization: [
    header(`GET ${ACCESS}`, { aid: WEEKLY.aid, key: '0000000000000000000000000000000000000000' }),
  ],
})
wrong('signed with the AID as the key', {
  target: ACCESS,
  authorization: [header(`GET ${ACCESS}`, { key: AID })],
})
wrong('signed with an empty key', {
  target: ACCESS,
  authorization: [header(`GET ${ACCESS}`, { key: '' })],
})
wrong('signed with the key in lower case', {
  target: ACCESS,
  authorization: [header(`GET ${ACCESS}`, { key: KEY.toLowerCase() })],
})
wrong('a plain SHA-256 of key and string', {
  target: ACCESS,
  authorization: [
    `${AID}:${createHash('sha256').update(`${KEY}GET ${ACCESS}`).digest('base64url')}`,
  ],
})
wrong('an HMAC with SHA-512, cut', {
  target: ACCESS,
  authorization: [
    `${AID}:${createHmac('sha512', KEY).update(`GET ${ACCESS}`).digest('base64url').slice(0, 43)}`,
  ],
})
wrong('43 times A', { target: ACCESS, authorization: [`${AID}:${'A'.repeat(43)}`] })
wrong('the signature reversed', {
  target: ACCESS,
  authorization: [`${AID}:${[...SIGNATURE].reverse().join('')}`],
})
wrong('the case of the signature swapped', {
  target: ACCESS,
  authorization: [
    `${AID}:${SIGNATURE.replace(/[A-Za-z]/g, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()))}`,
  ],
})
for (const at of [0, 1, 21, 41]) {
  const other = SIGNATURE[at] === 'A' ? 'B' : 'A'
  wrong(`character ${at + 1} of the signature changed`, {
    target: ACCESS,
    authorization: [`${AID}:${SIGNATURE.slice(0, at)}${other}${SIGNATURE.slice(at + 1)}`],
  })
}

// 43 characters hold 258 bits, but a MAC has 256: four different last characters decode to the same bytes.
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const last = ALPHABET.indexOf(SIGNATURE[42])
for (const twin of [1, 2, 3]) {
  const text = SIGNATURE.slice(0, 42) + ALPHABET[last + twin]
  if (!Buffer.from(text, 'base64url').equals(Buffer.from(SIGNATURE, 'base64url')))
    throw new Error('not a twin')
  wrong(`a text that a loose decoder takes for the signature (${twin})`, {
    target: ACCESS,
    authorization: [`${AID}:${text}`],
  })
  wrong(`a text that a loose decoder takes for the signature (${twin}), with padding`, {
    target: ACCESS,
    authorization: [`${AID}:${text}=`],
  })
}

const post = (signed, request) => ({
  method: 'POST',
  authorization: [header(signed)],
  contentType: FORM,
  ...request,
})
for (const [name, request] of [
  [
    'a form that is not signed',
    post(`POST ${GRANT}`, { target: GRANT, body: 'suppress_email=true' }),
  ],
  [
    'a form that is not signed, of a parameter in the query',
    post(`POST ${GRANT}`, { target: GRANT, body: 'email=eve%40example.com' }),
  ],
  [
    'a form that is not signed, where there is no query',
    post('POST /r2/access/grant', { target: '/r2/access/grant', body: BODY }),
  ],
  ['a form of one character', post(`POST ${GRANT}`, { target: GRANT, body: '&' })],
  [
    'a form that was changed',
    post(`POST /r2/access/grant?${BODY}`, {
      target: '/r2/access/grant',
      body: BODY.replace('ann', 'eve'),
    }),
  ],
  [
    'a form that was re-encoded',
    post(`POST /r2/access/grant?${BODY}`, {
      target: '/r2/access/grant',
      body: BODY.replace('%40', '@'),
    }),
  ],
  [
    'a form that was appended to',
    post(`POST /r2/access/grant?${BODY}`, {
      target: '/r2/access/grant',
      body: `${BODY}&suppress_email=1`,
    }),
  ],
  [
    'a form with a line break at the end',
    post(`POST /r2/access/grant?${BODY}`, { target: '/r2/access/grant', body: `${BODY}\r\n` }),
  ],
  [
    'a form that was left out',
    post(`POST /r2/access/grant?${BODY}`, { target: '/r2/access/grant', body: '' }),
  ],
  [
    'a form of another type',
    post(`POST /r2/access/grant?${BODY}`, {
      target: '/r2/access/grant',
      body: BODY,
      contentType: 'text/plain',
    }),
  ],
  [
    'a form without a type',
    post(`POST /r2/access/grant?${BODY}`, {
      target: '/r2/access/grant',
      body: BODY,
      contentType: null,
    }),
  ],
  [
    'a form signed without the question mark',
    post(`POST /r2/access/grant${BODY}`, { target: '/r2/access/grant', body: BODY }),
  ],
  [
    'a form signed before the query',
    post('POST /r2/access/grant?email=a%40b.c&rid=news', {
      target: '/r2/access/grant?rid=news',
      body: 'email=a%40b.c',
    }),
  ],
  [
    'a form signed with a second question mark',
    post('POST /r2/access/grant?rid=news?email=a%40b.c', {
      target: '/r2/access/grant?rid=news',
      body: 'email=a%40b.c',
    }),
  ],
  [
    'a form signed without the query',
    post('POST /r2/access/grant?email=a%40b.c', {
      target: '/r2/access/grant?rid=news',
      body: 'email=a%40b.c',
    }),
  ],
  [
    'header and field authorization, both right',
    post(`POST ${GRANT}`, { target: GRANT, body: `authorization=${granted}` }),
  ],
  [
    'a wrong header and a right field authorization',
    {
      method: 'POST',
      target: GRANT,
      authorization: [`${AID}:${'A'.repeat(43)}`],
      contentType: FORM,
      body: `authorization=${granted}`,
    },
  ],
  [
    'the field authorization of another request',
    {
      method: 'POST',
      target: `${GRANT}&suppress_email=1`,
      authorization: [],
      contentType: FORM,
      body: `authorization=${granted}`,
    },
  ],
  [
    'the field authorization with a twin of the signature',
    {
      method: 'POST',
      target: GRANT,
      authorization: [],
      contentType: FORM,
      body: `authorization=${granted.slice(0, -1)}${ALPHABET[ALPHABET.indexOf(granted.at(-1)) + 1]}`,
    },
  ],
  [
    'the field authorization signed with itself',
    {
      method: 'POST',
      target: GRANT,
      authorization: [],
      contentType: FORM,
      body: `authorization=${header(`POST ${GRANT}&authorization=`)}`,
    },
  ],
]) {
  wrong(`POST: ${name}`, request)
}

// ---- the file --------------------------------------------------------------------------------------

const ABOUT = [
  'Requests of the /r2/ interface and whether their signature is good, for clients and servers in any language.',
  '"applications": the AIDs that are known, with their live private keys.',
  '"request": method; target (the request target from /r2/ on, as it is on the wire); authorization (the values of all Authorization headers, in order); content_type (or null); body (empty for none). Characters stand for bytes: none is above U+00FF.',
  '"expect" of a good request: ok true; the AID; signed_string and its signature, HMAC-SHA-256 in url-safe Base64 without padding; parameters: pairs of name and value that the signature covers, decoded, in order.',
  '"expect" of a bad request: ok false, and the reason. authorization_missing: no header, and no field that stands in for it. authorization_repeated: more than one header. authorization_malformed: the header is not AID:SIGNATURE. application_unknown: no application has this AID. signature_wrong: signed with another key, or for another request. Clients see the same 401 for all of them.',
  'A client runs the good ones: what it signs must be signed_string, and the signature must be equal. A server runs all.',
  'Made by scripts/signing-vectors.mjs; docs/reference/signing.md explains the rules.',
]

export function makeFile() {
  const names = new Set(vectors.map(({ name }) => name))
  if (names.size !== vectors.length) throw new Error('two vectors have one name')
  const lines = vectors.map((vector) => `    ${JSON.stringify(vector)}`)
  const head = JSON.stringify({ about: ABOUT, applications: APPLICATIONS }, null, 2).slice(0, -2)
  return `${head},\n  "vectors": [\n${lines.join(',\n')}\n  ]\n}\n`
}

const path = fileURLToPath(new URL('../packages/sdk/signing-vectors.json', import.meta.url))
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = makeFile()
  if (!process.argv.includes('--check')) writeFileSync(path, text)
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(
      'packages/sdk/signing-vectors.json is stale; run: node scripts/signing-vectors.mjs',
    )
    process.exit(1)
  }
}
