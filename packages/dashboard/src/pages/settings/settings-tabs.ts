/** The pages of the settings, in order. Each has a path `settings/TAB`, except the first one, which is `settings`. */
export const SETTINGS_TABS = ['general', 'brand', 'emails', 'payments', 'mail', 'set-up'] as const

export type SettingsTab = (typeof SETTINGS_TABS)[number]

/** Whether a page exists, for links to it. */
export const hasSettingsTab = (tab: string): boolean => SETTINGS_TABS.some((one) => one === tab)
