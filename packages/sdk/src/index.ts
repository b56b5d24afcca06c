export * from './signing.ts'
