import { exampleValue, namesInExample } from './examples.ts'

/** The one operation that the SDK has under the name of another: it chooses by the number of resources. */
const METHODS: Readonly<Record<string, string>> = { checkManyAccess: 'checkAccess' }

/** Operations that the SDK lists as one sequence, whatever their pages. */
const SEQUENCES: Readonly<Record<string, string>> = {
  listEntitlements: 'listEntitlements',
}

/** Writes the SDK's call of an operation, with the parameters that the example uses. */
export function sdkCallOf(operationId: string, path: string, names: readonly string[]): string {
  if (operationId === 'getUser') return `getUser(${literal('uid')})`
  const parameters = namesInExample(path, names).map((name) => `${name}: ${literal(name)}`)
  const input = parameters.length === 0 ? '' : `{ ${parameters.join(', ')} }`
  const call = `${METHODS[operationId] ?? operationId}(${input})`
  return operationId in SEQUENCES ? `${call}.next()` : call
}

/** Several resources are a list in the SDK. */
function literal(name: string): string {
  const value = exampleValue(name)
  const shown = name === 'rids' ? String(value).split(' ') : value
  return JSON.stringify(shown).replaceAll('"', "'").replaceAll("','", "', '")
}
