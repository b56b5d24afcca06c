import type { Store } from './storage.ts'

export interface S3Options {
  bucket: string
  region: string
  endpoint: string | undefined
  keys: { accessKeyId: string; secretAccessKey: string } | undefined
  folder: string
  delivery: 'proxy' | 'redirect'
}

export function createS3Store(_options: S3Options, _environment: string): Store {
  throw new Error('not there yet')
}
