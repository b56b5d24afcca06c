/**
 * The few types of the runtime that the client's declarations need. They are taken from whatever the project declares
 * (DOM, Node, Cloudflare, Deno, Bun), and described by their shape where it declares nothing: the declarations of this
 * package compile without any of them.
 */

/** The `AbortSignal` of this project's types. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Own } }
  ? Own
  : { readonly aborted: boolean }

/** The options that the client passes to `fetch`; every runtime understands them. */
export interface FetchInit {
  method: string
  headers: Record<string, string>
  redirect: 'manual'
  cache?: 'no-store'
  body?: string
  signal: Signal
}

/** The parts of a response that the client reads. */
export interface FetchResponse {
  readonly ok: boolean
  readonly status: number
  readonly type?: string
  readonly headers: { get(name: string): string | null }
  json(): Promise<unknown>
}

/** The global `fetch` of any runtime, or a function in its place. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>

/** A `URL` of any runtime. */
export interface UrlLike {
  readonly href: string
}

interface MaybeCloudflare {
  readonly navigator?: { readonly userAgent?: string }
}

/** Cloudflare's runtime differs in two ways that matter here: requests must not wait for each other's responses, and
 * older compatibility dates refuse the option `cache`. */
export const isCloudflare = (): boolean =>
  (globalThis as MaybeCloudflare).navigator?.userAgent === 'Cloudflare-Workers'

/** The `Response` of this project's types. */
export type WebResponse = typeof globalThis extends { Response: { prototype: infer Own } }
  ? Own
  : FetchResponse

/** The parts of any runtime's `Request` that the gate reads. */
export interface WebRequest {
  readonly method: string
  readonly url: string
  readonly headers: { get(name: string): string | null }
}

/** The `Request` of this project's types. */
export type GlobalRequest = typeof globalThis extends {
  Request: { prototype: infer Own extends WebRequest }
}
  ? Own
  : WebRequest
