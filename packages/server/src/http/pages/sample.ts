import type { FastifyRequest } from 'fastify'
import type { Environment } from '../../context.ts'
import type { ApplicationTable } from '../../db/tables.ts'

/** The readers' pages that staff can see with sample data. */
export const SAMPLE_PAGES = ['checkout', 'account'] as const
export type SamplePage = (typeof SAMPLE_PAGES)[number]

/** Renders such a page as a complete document. The request says in which locale. */
export type RenderSample = (
  env: Environment,
  request: FastifyRequest,
  app: ApplicationTable,
  page: SamplePage,
) => string
