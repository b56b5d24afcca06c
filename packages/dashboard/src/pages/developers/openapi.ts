import { useQuery } from '@tanstack/react-query'
import type { EnvironmentName } from '../../app-scope.ts'
import { BASE_PATH } from '../../base-path.ts'

/** The path of something served next to the dashboard. */
const siblingPath = (name: string) => BASE_PATH.replace(/[^/]*$/, name)

/** The API reference. */
export const API_REFERENCE_PATH = siblingPath('docs')
const OPENAPI_PATH = siblingPath('openapi.json')

export type Method = 'GET' | 'POST'

export interface ApiCallParameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  description: string
  /** The allowed values, if there are only a few. */
  choices: readonly string[] | undefined
  /** Whether the value may have several lines. */
  long: boolean
}

/** An API call as described in the contract. */
export interface ApiCall {
  /** `GET /r2/access` */
  id: string
  method: Method
  /** A name in braces is a parameter. */
  path: string
  summary: string
  parameters: readonly ApiCallParameter[]
}

interface Operation {
  summary: string
  parameters?: readonly {
    name: string
    in: string
    required?: boolean
    description?: string
    schema: { type?: string; enum?: readonly string[]; maxLength?: number }
  }[]
  'x-sandbox-only'?: boolean
}

interface Contract {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const LONG = 1_000

type Described = NonNullable<Operation['parameters']>[number]

function readParameter({
  name,
  required = false,
  description = '',
  schema,
  ...rest
}: Described): ApiCallParameter {
  return {
    name,
    in: rest.in === 'path' ? 'path' : 'query',
    required,
    description,
    choices: schema.type === 'boolean' ? ['true', 'false'] : schema.enum,
    long: (schema.maxLength ?? 0) > LONG,
  }
}

function readCalls({ paths }: Contract, environment: EnvironmentName): ApiCall[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => environment === 'sandbox' || !operation['x-sandbox-only'])
      .map(([verb, { summary, parameters = [] }]) => {
        const method = verb.toUpperCase() as Method
        return {
          id: `${method} ${path}`,
          method,
          path,
          summary,
          parameters: parameters.map(readParameter),
        }
      }),
  )
}

async function loadContract(signal: AbortSignal): Promise<Contract> {
  const response = await fetch(OPENAPI_PATH, { signal, credentials: 'same-origin' })
  if (!response.ok) throw new Error(`The contract could not be read: ${response.status}`)
  return (await response.json()) as Contract
}

/** The API calls of an environment, read from the contract that the service publishes; undefined until loaded. */
export function useApiCalls(environment: EnvironmentName) {
  const { data, isError } = useQuery({
    queryKey: ['contract'],
    queryFn: ({ signal }) => loadContract(signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return { calls: data && readCalls(data, environment), isError }
}
