import type { Snippet } from '../../components/display/code-box.tsx'

interface Asked {
  /** The public URL of the environment. */
  address: string
  aid: string
  rid: string
}

/** Quotes a text for JavaScript, PHP, Python and Ruby. */
const quoted = (text: string) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`

/** Also encodes the single quote, which would end a string in a shell. */
const encoded = (text: string) => encodeURIComponent(text).replaceAll("'", '%27')

/** Examples of an access check in every language of docs/reference/signing.md. */
export function snippetsFor(asked: Asked): Snippet[] {
  return [
    { label: 'curl', code: inShell(asked) },
    { label: 'Node', code: inNode(asked) },
    { label: 'PHP', code: inPhp(asked) },
    { label: 'Python', code: inPython(asked) },
    { label: 'Ruby', code: inRuby(asked) },
  ]
}

const inShell = ({ address, aid, rid }: Asked) => `\
TARGET='/r2/access?rid=${encoded(rid)}&user_ref=ann'
SIGNATURE=$(printf '%s' "GET $TARGET" |
  openssl dgst -sha256 -hmac "$PRIVATE_KEY" -binary |
  base64 | tr '+/' '-_' | tr -d '=')
curl -H "Authorization: ${aid}:$SIGNATURE" \\
  "${address}$TARGET"`

const inNode = ({ address, aid, rid }: Asked) => `\
import { Gatehouse } from '@gatehouse/sdk'

const gatehouse = new Gatehouse({
  baseUrl: ${quoted(address)},
  aid: ${quoted(aid)},
  privateKey: process.env.PRIVATE_KEY,
})

if (await gatehouse.hasAccess({ rid: ${quoted(rid)}, user_ref: 'ann' })) {
  console.log('come in')
}`

const inPhp = ({ address, aid, rid }: Asked) => `\
<?php
function has_access(string $userRef): bool {
    $target = '/r2/access?' . http_build_query(['rid' => ${quoted(rid)}, 'user_ref' => $userRef]);
    $mac = hash_hmac('sha256', "GET $target", getenv('PRIVATE_KEY'), true);
    $signature = rtrim(strtr(base64_encode($mac), '+/', '-_'), '=');
    $http = ['header' => ${quoted(`Authorization: ${aid}:`)} . $signature, 'ignore_errors' => true];
    $context = stream_context_create(['http' => $http]);
    $text = file_get_contents(${quoted(address)} . $target, false, $context);
    $answer = json_decode((string) $text, true);
    if (isset($answer['id'])) return true;
    if (($answer['error']['code'] ?? '') === 'access_not_found') return false;
    throw new RuntimeException($answer['error']['message'] ?? 'no answer');
}

if (has_access('ann')) echo "come in\\n";`

const inPython = ({ address, aid, rid }: Asked) => `\
import base64, hashlib, hmac, json, os
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

def has_access(user_ref):
    target = "/r2/access?" + urlencode({"rid": ${quoted(rid)}, "user_ref": user_ref})
    key = os.environ["PRIVATE_KEY"].encode()
    mac = hmac.new(key, f"GET {target}".encode(), hashlib.sha256).digest()
    signature = base64.urlsafe_b64encode(mac).decode().rstrip("=")
    request = Request(${quoted(address)} + target)
    request.add_header("Authorization", ${quoted(`${aid}:`)} + signature)
    try:
        with urlopen(request):
            return True
    except HTTPError as error:
        if error.code == 404 and json.load(error)["error"]["code"] == "access_not_found":
            return False
        raise

if has_access("ann"):
    print("come in")`

const inRuby = ({ address, aid, rid }: Asked) => `\
require 'json'
require 'net/http'
require 'openssl'

def access?(user_ref)
  target = "/r2/access?#{URI.encode_www_form(rid: ${quoted(rid)}, user_ref: user_ref)}"
  mac = OpenSSL::HMAC.digest('SHA256', ENV.fetch('PRIVATE_KEY'), "GET #{target}")
  signature = [mac].pack('m0').tr('+/', '-_').delete('=')
  header = { 'Authorization' => ${quoted(`${aid}:`)} + signature }
  answer = Net::HTTP.get_response(URI(${quoted(address)} + target), header)
  return true if answer.is_a?(Net::HTTPOK)
  return false if JSON.parse(answer.body).dig('error', 'code') == 'access_not_found'

  raise answer.body
end

puts 'come in' if access?('ann')`
