import type { Plugin } from 'vite'

export function thirdPartyLicenses(): Plugin
