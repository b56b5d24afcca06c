import { createHmac } from 'node:crypto'
import { signedString } from '@gatehouse/sdk/signing'
import { type Html, html } from '../pages/html.ts'

/** Made-up values that belong to no application. */
const EXAMPLE = {
  aid: 'ExampleAID',
  privateKey: 'ExampleKeyExampleKeyExampleKeyExample123',
  method: 'GET',
  target: '/r2/access?rid=demo-article&user_ref=Ren%C3%A9e+O%27Hara',
} as const

const signatureOf = (text: string) =>
  createHmac('sha256', EXAMPLE.privateKey).update(text).digest('base64url')

const FORM = 'rid=demo-article&email=reader%40example.com'

/** Texts to sign, for readers of the contract: a query, no query, a POST, and one with a query and a body. */
const TEXTS = [
  signedString(EXAMPLE.method, EXAMPLE.target),
  'GET /r2/clock',
  `POST /r2/access/grant?${FORM}`,
  `POST /r2/access/grant?${FORM}&message=Hello+Ann%21`,
]

/** Says in Markdown all that a program needs in order to sign a request. */
export function signingInMarkdown(): string {
  const rows = TEXTS.map((text) => `| \`${text}\` | \`${signatureOf(text)}\` |`)
  return `Every request has the header \`Authorization: AID:SIGNATURE\`. \`AID\` is the id of the application (10 letters and digits), and
\`SIGNATURE\` proves that you have its private key (40 letters and digits). The sandbox has applications and keys of its own.

1. Write the text to sign: the method, one space, and the request target from \`/r2/\` on, with its query if there is one, **byte for byte
   as it is sent**. What stands before \`/r2/\` (scheme, host, a base path, \`/sandbox\`) is not part of it. Nothing is sorted, decoded or
   encoded anew: \`%20\` and \`+\`, or \`%2F\` and \`%2f\`, are different texts. Encode once, sign that text, and send that very text.
2. Compute its HMAC with SHA-256. The key is the private key as text; do not decode it.
3. Encode the 32 bytes in url-safe Base64 (\`-\` and \`_\`, no \`+\` and \`/\`), without padding: 43 characters.

**POST**: send the parameters in the query, sign \`POST path?query\`, and leave the body empty. Or send them as a body of type
\`application/x-www-form-urlencoded\`: the text is then \`POST path?body\`, or \`POST path?query&body\` where there is a query too, with
the bytes of the body as they are sent. A body that the signature does not cover is a 401.

With the AID \`${EXAMPLE.aid}\` and the private key \`${EXAMPLE.privateKey}\`:

| text to sign | signature |
|---|---|
${rows.join('\n')}

The header of the first is \`Authorization: ${EXAMPLE.aid}:${signatureOf(TEXTS[0] ?? '')}\`; it is the same for
\`https://access.example.com${EXAMPLE.target}\` and for \`https://access.example.com/sandbox${EXAMPLE.target}\`. The third is that
of a POST with this query and no body, and also of a POST to \`/r2/access/grant\` with the body \`${FORM}\`. The fourth is that of a POST with
the query of the third and the body \`message=Hello+Ann%21\`.

A 401 never says what is wrong: compare your text with the target that you sent. The signature alone has no time in it, so a captured
request can be sent again: use HTTPS all the way, and give writes a \`ts\` and an \`idempotency_key\`.

One exception, for an old client library: where there is no header, and the body of a POST is the single field \`authorization\` with the
value of the header, that field stands in for it, and the text is signed without the body.`
}

/** Renders the signing rules, with an example that anyone can reproduce. */
export function signingSection(): Html {
  return html`<section id="signing" aria-labelledby="signing-title">
<h2 id="signing-title">Signing a request</h2>
<p>Every request carries one header that says who sends it and proves it:</p>
<pre tabindex="0" aria-label="Shape of the header"><code>Authorization: AID:SIGNATURE</code></pre>
<ol>
<li>Write the text to sign: the method, one space, and the request target from <code>/r2/</code> on,
with its query, <strong>byte for byte as it is sent</strong>. What stands before <code>/r2/</code>
(the host, <code>/sandbox</code>) is not part of it.</li>
<li>Compute its HMAC with SHA-256. The key is the 40 characters of the private key, as text.</li>
<li>Encode the 32 bytes in url-safe Base64 (<code>-</code> and <code>_</code>, no <code>+</code> and
<code>/</code>): 43 characters. One <code>=</code> at the end is tolerated.</li>
</ol>
<p>Nothing is sorted, decoded or encoded anew before the check, so <code>%20</code> and
<code>+</code> are different texts. Sign the very string that you send.</p>
${workedExample()}
${postRules()}
<p class="note"><strong>Replays.</strong> The signature has no time in it. Who can read a signed request
on its way can send it again: a grant that was captured grants again, also after a revoke. Use HTTPS all
the way, and keep targets and headers out of logs.</p>
</section>`
}

function workedExample(): Html {
  const { aid, privateKey, method, target } = EXAMPLE
  const text = signedString(method, target)
  const signature = signatureOf(text)
  return html`<h3>A worked example</h3>
<dl class="facts">
<dt>AID</dt><dd><code>${aid}</code></dd>
<dt>Private key</dt><dd><code>${privateKey}</code></dd>
<dt>Text to sign</dt><dd><code>${text}</code></dd>
<dt>Signature</dt><dd><code>${signature}</code></dd>
</dl>
<p>The same on a command line; it prints the signature above:</p>
<pre tabindex="0" aria-label="Computing the signature with OpenSSL"><code>printf '%s' '${text}' |
  openssl dgst -sha256 -hmac '${privateKey}' -binary |
  openssl base64 -A | tr '+/' '-_' | tr -d '='</code></pre>
<p>The request, as it goes over the wire:</p>
<pre tabindex="0" aria-label="The signed request"><code>${method} ${target} HTTP/1.1
Host: localhost:8080
Authorization: ${aid}:${signature}</code></pre>`
}

function postRules(): Html {
  return html`<h3>POST</h3>
<p>Send the parameters in the query, sign <code>POST path?query</code>, and leave the body empty. A body of
type <code>application/x-www-form-urlencoded</code> is taken too, if the signature covers it: the signed
text is then <code>POST path?body</code>, or <code>POST path?query&amp;body</code> where there are both. A
body that the signature does not cover is a 401.</p>
<p>One exception, for an old client library: where there is no header, and the body is the single field
<code>authorization</code> with the value of the header, that field stands in for it, and the text is
signed without the body.</p>`
}
