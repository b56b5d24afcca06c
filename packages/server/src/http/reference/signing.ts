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
  const signature = createHmac('sha256', privateKey).update(text).digest('base64url')
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
