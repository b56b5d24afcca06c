// The requests that try.mjs sends, byte for byte.
import { createHmac } from 'node:crypto'

export function request(
  method,
  target,
  { host = 'access.example.com', headers = {}, body = '' } = {},
) {
  const all = { Host: host, Connection: 'close', ...headers }
  if (body !== '') all['Content-Length'] = Buffer.byteLength(body, 'latin1')
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

export function signed(app, method, target, { text = target, ...options } = {}) {
  const signature = createHmac('sha256', app.private_key)
    .update(`${method} ${text}`, 'latin1')
    .digest('base64url')
  const headers = { Authorization: `${app.aid}:${signature}`, ...options.headers }
  return request(method, options.prefix ? options.prefix + target : target, { ...options, headers })
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

const grant = '/r2/access/grant'
const query =
  'rid=a%2Fb&email=ren%C3%A9e%2Bx%40example.com&user_ref=Ren%C3%A9e+O%27Hara&message=100%25+f%C3%BCr+dich'
const check = (ref) => `/r2/access?rid=a%2Fb&user_ref=${ref}`

/** Requests that nginx must pass on unchanged: [what, request, status]. */
export function goodRequests(production, sandbox) {
  return [
    ...postRequests(production),
    ...getRequests(production),
    ...sandboxRequests(sandbox),
    [
      'signed %20, sent +',
      signed(production, 'GET', check('Ren%C3%A9e+O%27Hara'), {
        text: check('Ren%C3%A9e%20O%27Hara'),
      }),
      401,
    ],
    [
      'a body that the signature does not cover',
      signed(production, 'POST', `${grant}?${query}`, { body: 'tags=x', headers: FORM }),
      401,
    ],
  ]
}

function postRequests(production) {
  const bare = `${grant}?rid=a%2fb&email=ann@example.com&user_ref=ann~(1)`
  return [
    ['POST with a query and no body', signed(production, 'POST', `${grant}?${query}`), 200],
    [
      'POST with a query and an empty form',
      signed(production, 'POST', bare, { headers: { ...FORM, 'Content-Length': 0 } }),
      200,
    ],
    [
      'POST with a form body',
      signed(production, 'POST', grant, { text: `${grant}?${query}`, body: query, headers: FORM }),
      200,
    ],
    [
      'POST with a message of 10,000 characters (90 KB)',
      signed(production, 'POST', `${bare}&message=${'%E2%82%AC'.repeat(10_000)}`),
      200,
    ],
  ]
}

function getRequests(production) {
  return [
    ['GET with %C3%A9, + and %27', signed(production, 'GET', check('Ren%C3%A9e+O%27Hara')), 200],
    [
      'the same with %20 for +, signed so',
      signed(production, 'GET', check('Ren%C3%A9e%20O%27Hara')),
      200,
    ],
    [
      'GET with lower-case %2f',
      signed(production, 'GET', '/r2/access?rid=a%2fb&user_ref=ann~(1)'),
      200,
    ],
    [
      'GET with an unescaped slash and @',
      signed(production, 'GET', '/r2/access/search?rid=a/b&email=ann@example.com'),
      200,
    ],
    [
      'GET with an escape in the path (no such user)',
      signed(production, 'GET', '/r2/user/a%2Fb%20c'),
      '404 user_not_found',
    ],
  ]
}

function sandboxRequests(sandbox) {
  return [
    [
      'sandbox by prefix',
      signed(sandbox, 'POST', `${grant}?${query}`, { prefix: '/sandbox' }),
      200,
    ],
    [
      'sandbox by host name',
      signed(sandbox, 'GET', check('Ren%C3%A9e+O%27Hara'), { host: 'sandbox.example.com' }),
      200,
    ],
    ['sandbox application at the production host', signed(sandbox, 'GET', check('x')), 401],
  ]
}

/** Odd requests, and some to other paths: [what, request, status at Gatehouse, status through nginx]. */
export function oddRequests(app) {
  const ask = '?rid=a%2Fb&user_ref=ann'
  const odd = (target) => signed(app, 'GET', target)
  return [
    ['two slashes', odd(`//r2/access${ask}`), 404, 404],
    ['two slashes inside', odd(`/r2//access${ask}`), 404, 404],
    ['dot segment', odd(`/r2/./access${ask}`), 404, 404],
    ['dot dot segment', odd(`/x/../r2/access${ask}`), 404, 404],
    ['dot dot above the root', odd(`/../r2/access${ask}`), 404, 400],
    ['escape in the fixed part', odd(`/r2/%61ccess${ask}`), 404, 404],
    ['escaped dot dot', odd(`/x/%2e%2e/r2/access${ask}`), 404, 404],
    ['escaped NUL in the path', odd(`/r2/access%00${ask}`), 404, 400],
    ['bad escape in the path', odd(`/r2/access%zz${ask}`), 404, 400],
    ['backslash', odd(`/r2\\access${ask}`), 404, 404],
    ['fragment', odd(`/r2/access${ask}#part`), 404, 404],
    ['absolute form', odd(`http://access.example.com/r2/access${ask}`), 404, 401],
    ['raw UTF-8 in the query', odd('/r2/access?rid=a%2Fb&user_ref=\xc3\xa9'), 400, 400],
    ['HEAD', signed(app, 'HEAD', `/r2/access${ask}`), 402, 402],
    ['OPTIONS', signed(app, 'OPTIONS', `/r2/access${ask}`), 402, 402],
    ['PUT', signed(app, 'PUT', `/r2/access${ask}`), 402, 402],
    ['TRACE', signed(app, 'TRACE', `/r2/access${ask}`), 402, 402],
    ['CONNECT', request('CONNECT', 'access.example.com:443'), 0, 400],
    ['a method that nobody knows', signed(app, 'FROB', `/r2/access${ask}`), 400, 400],
    ['a request line of 200 KB', odd(`/r2/access${ask}&x=${'x'.repeat(200_000)}`), 400, 400],
    [
      'a body of 170 KB',
      signed(app, 'POST', `/r2/access/grant${ask}`, { body: 'x'.repeat(170_000), headers: FORM }),
      400,
      400,
    ],
    [
      'Content-Length and Transfer-Encoding',
      request('POST', '/r2/access/grant', {
        body: 'a=1',
        headers: { ...FORM, 'Transfer-Encoding': 'chunked' },
      }),
      400,
      400,
    ],
    [
      'two Authorization headers',
      signed(app, 'GET', `/r2/access${ask}`, { headers: { authorization: 'x' } }),
      401,
      400,
    ],
    ['/metrics', request('GET', '/metrics'), 404, 404],
    ['//metrics', request('GET', '//metrics'), 404, 404],
    ['/docs', request('GET', '/docs'), 200, 200],
    ['/healthz', request('GET', '/healthz'), 200, 200],
  ]
}
