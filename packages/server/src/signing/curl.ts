import { createHmac } from 'node:crypto'
import { signedString } from '@gatehouse/sdk/signing'

/** Returns the value of the `Authorization` header. */
export function authorize(aid: string, privateKey: string, method: string, target: string): string {
  const mac = createHmac('sha256', privateKey).update(signedString(method, target))
  return `${aid}:${mac.digest('base64url')}`
}

/** Returns a signed `curl` command, ready to paste. */
export function curlCommand(
  address: string,
  aid: string,
  privateKey: string,
  method: string,
  target: string,
): string {
  const header = `Authorization: ${authorize(aid, privateKey, method, target)}`
  const verb = method === 'GET' ? '' : `-X ${method} `
  // Without `-g`, curl would expand these characters as a list of URLs.
  const plain = /[[\]{}]/.test(target) ? '-g ' : ''
  return `curl ${verb}${plain}-H ${quoted(header)} ${quoted(address + target)}`
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
