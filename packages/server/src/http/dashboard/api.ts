/**
 * The part of the server that the web app imports, as `@gatehouse/server/dashboard-api`: the types of requests and
 * responses, and the few functions that both sides must compute alike. Nothing else of the server may reach the browser,
 * so schemas are exported as types only. The name leads to this source (see `paths` in tsconfig.json): the published
 * server doesn't have it, because the web app is only ever built in this repository.
 */

export * from '../../domain/apps/currency.ts'
export { accentColors, isColor, LIGHT } from '../../domain/brand/color.ts'
export * from '../../domain/downloads/limits.ts'
export { addDays, dayAt, startOfDay } from '../../domain/figures/days.ts'
export * from '../../domain/images/limits.ts'
export {
  placeholdersOf,
  STORED_TEMPLATE_KINDS,
  type StoredTemplateKind,
  type TemplateKind,
} from '../../domain/mail/template-kinds.ts'
export * from '../../domain/resources/limits.ts'
export type { Role, StaffMember } from '../../domain/staff/staff.ts'
export * from '../../domain/users/limits.ts'
export * from '../../markdown.ts'
export type { SamplePage } from '../pages/sample.ts'
export type * from './access/schemas.ts'
export type * from './connections/schemas.ts'
export type * from './copy/schemas.ts'
export type * from './developers/schemas.ts'
export type * from './downloads/schemas.ts'
export type * from './images/schemas.ts'
export type * from './mail/schemas.ts'
export type * from './overview/schemas.ts'
export type * from './payments/schemas.ts'
export type * from './people/schemas.ts'
export type * from './resources/schemas.ts'
export { DEVELOPERS, EDITORS, OWNERS, SUPPORT } from './route.ts'
export type * from './schemas.ts'
export type * from './settings/schemas.ts'
export type * from './staff/schemas.ts'
