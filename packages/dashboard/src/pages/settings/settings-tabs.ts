import { DEVELOPERS, type Role } from '@gatehouse/server/dashboard-api'

/** The pages of the settings, in order. Each has a path `settings/TAB`, except the first one, which is `settings`. */
export const SETTINGS_TABS = [
  'general',
  'brand',
  'emails',
  'payments',
  'mail',
  'set-up',
  'copy',
] as const

/** The pages that only some roles can open. */
export const TAB_ROLES: Readonly<Partial<Record<SettingsTab, readonly Role[]>>> = {
  copy: DEVELOPERS,
}

export type SettingsTab = (typeof SETTINGS_TABS)[number]

/** Whether a page exists, for links to it. */
export const hasSettingsTab = (tab: string): boolean => SETTINGS_TABS.some((one) => one === tab)
