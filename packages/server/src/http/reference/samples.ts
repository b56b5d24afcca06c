import { type Html, html } from '../pages/html.ts'

/** A request that samples make. */
export interface SampleCall {
  /** How the request says who sends it: a signature of the access API, or a token of the management API. */
  auth: 'signature' | 'token'
  method: string
  /** The path and the query. */
  target: string
  /** Sent as JSON. */
  body?: object | undefined
  /** The method of the SDK, with its arguments. */
  sdk?: string | undefined
}

export const LANGUAGES = {
  curl: 'curl',
  node: 'Node.js',
  python: 'Python',
  php: 'PHP',
  ruby: 'Ruby',
  go: 'Go',
} as const

export type Language = keyof typeof LANGUAGES

/** Names of all languages, in the order of the page. */
export const LANGUAGE_NAMES = Object.keys(LANGUAGES) as Language[]

/** Writes a whole program that makes the request. It reads the address and the keys from the environment. */
const sampleOf = (language: Language, call: SampleCall): string => WRITERS[language](call)

const lines = (...parts: (string | undefined | false)[]) =>
  parts.filter((part) => typeof part === 'string').join('\n')

/** JSON in single quotes, for languages in which these mean no more than in JSON. */
const quoted = (body: object) => `'${JSON.stringify(body).replaceAll("'", "'\\''")}'`

const WRITERS: Record<Language, (call: SampleCall) => string> = {
  curl: ({ auth, method, target, body }) =>
    auth === 'signature'
      ? lines(
          `target='${target}'`,
          `signature=$(printf %s "${method} $target" | openssl dgst -sha256 -hmac "$PRIVATE_KEY" -binary |`,
          "  openssl base64 -A | tr '+/' '-_' | tr -d '=')",
          `curl -X ${method} "$ADDRESS$target" -H "Authorization: $AID:$signature"`,
        )
      : lines(
          `curl -X ${method} "$ADDRESS${target}" \\`,
          `  -H "Authorization: Bearer $TOKEN"${body ? ' \\' : ''}`,
          body && `  -H 'Content-Type: application/json' -d ${quoted(body)}`,
        ),
  node: ({ auth, method, target, body, sdk }) =>
    auth === 'signature'
      ? lines(
          "import { Gatehouse } from '@gatehouse/sdk'",
          '',
          'const { ADDRESS: baseUrl, AID: aid, PRIVATE_KEY: privateKey } = process.env',
          'const gatehouse = new Gatehouse({ baseUrl, aid, privateKey })',
          `console.log(await gatehouse.${sdk})`,
        )
      : lines(
          'const { ADDRESS, TOKEN } = process.env',
          `const response = await fetch(\`\${ADDRESS}${target}\`, {`,
          `  method: '${method}',`,
          `  headers: { authorization: \`Bearer \${TOKEN}\`${body ? ", 'content-type': 'application/json'" : ''} },`,
          body && `  body: JSON.stringify(${JSON.stringify(body)}),`,
          '})',
          'console.log(await response.text())',
        ),
  python: ({ auth, method, target, body }) =>
    lines(
      auth === 'signature'
        ? 'import base64, hashlib, hmac, os, urllib.request'
        : 'import os, urllib.request',
      '',
      `target = "${target}"`,
      ...(auth === 'signature'
        ? [
            `text = "${method} " + target`,
            'mac = hmac.new(os.environ["PRIVATE_KEY"].encode(), text.encode(), hashlib.sha256)',
            'signature = base64.urlsafe_b64encode(mac.digest()).decode().rstrip("=")',
            'headers = {"Authorization": os.environ["AID"] + ":" + signature}',
          ]
        : ['headers = {"Authorization": "Bearer " + os.environ["TOKEN"]}']),
      body && 'headers["Content-Type"] = "application/json"',
      body && `body = '${JSON.stringify(body)}'.encode()`,
      `request = urllib.request.Request(os.environ["ADDRESS"] + target, ${body ? 'body, ' : ''}headers=headers, method="${method}")`,
      'print(urllib.request.urlopen(request).read().decode())',
    ),
  php: ({ auth, method, target, body }) =>
    lines(
      '<?php',
      `$target = '${target}';`,
      ...(auth === 'signature'
        ? [
            `$mac = hash_hmac('sha256', '${method} ' . $target, getenv('PRIVATE_KEY'), true);`,
            "$signature = rtrim(strtr(base64_encode($mac), '+/', '-_'), '=');",
            "$headers = ['Authorization: ' . getenv('AID') . ':' . $signature];",
          ]
        : ["$headers = ['Authorization: Bearer ' . getenv('TOKEN')];"]),
      body && "$headers[] = 'Content-Type: application/json';",
      body && `$body = '${JSON.stringify(body)}';`,
      `$http = ['method' => '${method}', 'header' => $headers${body ? ", 'content' => $body" : ''}];`,
      "echo file_get_contents(getenv('ADDRESS') . $target, false, stream_context_create(['http' => $http]));",
    ),
  ruby: ({ auth, method, target, body }) =>
    lines(
      "require 'net/http'",
      auth === 'signature' && "require 'openssl'",
      '',
      `target = '${target}'`,
      "uri = URI(ENV['ADDRESS'] + target)",
      `request = Net::HTTP::${method[0]}${method.slice(1).toLowerCase()}.new(uri)`,
      ...(auth === 'signature'
        ? [
            `mac = OpenSSL::HMAC.digest('SHA256', ENV['PRIVATE_KEY'], "${method} #{target}")`,
            "signature = [mac].pack('m0').tr('+/', '-_').delete('=')",
            `request['Authorization'] = "#{ENV['AID']}:#{signature}"`,
          ]
        : [`request['Authorization'] = "Bearer #{ENV['TOKEN']}"`]),
      body && "request['Content-Type'] = 'application/json'",
      body && `request.body = '${JSON.stringify(body)}'`,
      "response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') { |http| http.request(request) }",
      'puts response.body',
    ),
  go: ({ auth, method, target, body }) =>
    lines(
      'package main',
      '',
      'import (',
      ...(auth === 'signature'
        ? ['\t"crypto/hmac"', '\t"crypto/sha256"', '\t"encoding/base64"']
        : []),
      ...['\t"fmt"', '\t"io"', '\t"net/http"', '\t"os"'],
      body && '\t"strings"',
      ')',
      '',
      'func main() {',
      `\ttarget := "${target}"`,
      body && `\tbody := strings.NewReader(\`${JSON.stringify(body)}\`)`,
      `\trequest, err := http.NewRequest("${method}", os.Getenv("ADDRESS")+target, ${body ? 'body' : 'nil'})`,
      '\tif err != nil {\n\t\tpanic(err)\n\t}',
      ...(auth === 'signature'
        ? [
            '\tmac := hmac.New(sha256.New, []byte(os.Getenv("PRIVATE_KEY")))',
            `\tmac.Write([]byte("${method} " + target))`,
            '\tsignature := base64.RawURLEncoding.EncodeToString(mac.Sum(nil))',
            '\trequest.Header.Set("Authorization", os.Getenv("AID")+":"+signature)',
          ]
        : ['\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))']),
      body && '\trequest.Header.Set("Content-Type", "application/json")',
      '\tresponse, err := http.DefaultClient.Do(request)',
      '\tif err != nil {\n\t\tpanic(err)\n\t}',
      '\tanswer, _ := io.ReadAll(response.Body)',
      '\tfmt.Println(string(answer))',
      '}',
    ),
}

/** Renders the request in all languages, of which the page shows the chosen one. */
export function samplesPart(call: SampleCall): Html {
  return html`${LANGUAGE_NAMES.map((language) => sampleBlock(language, sampleOf(language, call), [language]))}`
}

/** A file is uploaded with curl, whatever language was chosen. */
export function uploadSample({ method, target }: SampleCall): Html {
  const code = lines(
    `curl -X ${method} "$ADDRESS${target}" \\`,
    '  -H "Authorization: Bearer $TOKEN" \\',
    "  -H 'Content-Type: application/octet-stream' --data-binary @FILE",
  )
  return sampleBlock('curl', code, LANGUAGE_NAMES)
}

const sampleBlock = (language: Language, code: string, shownIn: readonly Language[]) =>
  html`<div class="sample ${shownIn.map((one) => `in-${one}`).join(' ')}"><pre tabindex="0" role="group" aria-label="Sample: ${LANGUAGES[language]}"><code>${code}</code></pre></div>`

/** The choice of the language. It works without a script: the style shows the samples of the chosen one. */
export function languageChoice(): Html {
  const choices = LANGUAGE_NAMES.map(
    (language, i) =>
      html`<label><input type="radio" name="language" id="language-${language}"${i === 0 ? html` checked` : html``}> ${LANGUAGES[language]}</label>`,
  )
  return html`<fieldset class="languages"><legend>Samples in</legend>${choices}</fieldset>`
}

export const SAMPLE_STYLE = `
.languages { margin: 0 0 1rem; padding: .5rem .8rem; border: 1px solid var(--line); border-radius: 8px; display: flex; flex-wrap: wrap; gap: 0 1rem; }
.languages legend { padding: 0 .3rem; color: var(--soft); }
input { accent-color: var(--accent); }
.languages label { display: inline-flex; align-items: center; gap: .35rem; min-height: 2rem; }
.sample { display: none; }
${LANGUAGE_NAMES.map((one) => `body:has(#language-${one}:checked) .sample.in-${one}`).join(',\n')} { display: block; }
@supports not selector(:has(a)) { .sample.in-curl { display: block; } }
`
