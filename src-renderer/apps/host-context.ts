import { McpUiHostContextSchema, type McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { ToolDefinition } from '../../src-shared/index.ts';

/** The protocol's names for colours and the like, and ours (tokens.css). */
const VARIABLES: Readonly<Record<string, string>> = {
  '--color-background-primary': '--raised',
  '--color-background-secondary': '--bg',
  '--color-background-tertiary': '--sunken',
  '--color-background-inverse': '--ink',
  '--color-background-ghost': '--hover',
  '--color-background-info': '--info-soft',
  '--color-background-danger': '--bad-soft',
  '--color-background-success': '--good-soft',
  '--color-background-warning': '--warn-soft',
  '--color-background-disabled': '--sunken',
  '--color-text-primary': '--ink',
  '--color-text-secondary': '--ink-2',
  '--color-text-tertiary': '--ink-3',
  '--color-text-inverse': '--panel',
  '--color-text-ghost': '--ink-2',
  '--color-text-info': '--info',
  '--color-text-danger': '--bad',
  '--color-text-success': '--good',
  '--color-text-warning': '--warn',
  '--color-text-disabled': '--ink-3',
  '--color-border-primary': '--line-strong',
  '--color-border-secondary': '--line-soft',
  '--color-border-tertiary': '--line-soft',
  '--color-border-info': '--info',
  '--color-border-danger': '--bad',
  '--color-border-success': '--good',
  '--color-border-warning': '--warn',
  '--color-border-disabled': '--line-soft',
  '--color-ring-primary': '--accent',
  '--font-mono': '--font-mono',
  '--font-text-xs-size': '--text-xs',
  '--font-text-sm-size': '--text-sm',
  '--font-text-md-size': '--text-md',
  '--font-text-lg-size': '--text-lg',
  '--border-radius-sm': '--r1',
  '--border-radius-md': '--r2',
  '--border-radius-lg': '--r3',
  '--shadow-md': '--shadow',
  '--shadow-lg': '--shadow-high',
};
/** The window's own fonts are not at hand in a view. */
const FONT = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'PingFang SC', 'Noto Sans CJK SC', sans-serif";

/** What a view is told about where it is shown. */
export interface Surroundings {
  theme: 'light' | 'dark';
  language: string;
  desktop: boolean;
  mode: 'inline' | 'fullscreen';
  /** Pixels; inline the view has its own height, up to this. */
  width: number;
  height: number;
}

/** @param tool the tool whose call is shown, under its server's own name. */
export function hostContext(around: Surroundings, tool?: ToolDefinition): McpUiHostContext {
  const { theme, language, desktop, mode, width, height } = around;
  const style = getComputedStyle(document.documentElement);
  const variables = Object.fromEntries(
    Object.entries(VARIABLES).map(([name, own]) => [name, style.getPropertyValue(own).trim()]),
  );
  const context = {
    theme,
    locale: language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    userAgent: 'causeway',
    platform: desktop ? 'desktop' : 'web',
    displayMode: mode,
    availableDisplayModes: ['inline', 'fullscreen'],
    containerDimensions: mode === 'fullscreen' ? { width, height } : { width, maxHeight: height },
    deviceCapabilities: { touch: navigator.maxTouchPoints > 0, hover: matchMedia('(hover: hover)').matches },
    styles: { variables: { ...variables, '--font-sans': FONT } },
    ...(tool && { toolInfo: { tool: asMcpTool(tool) } }),
  };
  // A tool that is odd enough not to be one of the protocol is left out.
  return isHostContext(context) ? context : { theme, locale: language, displayMode: mode };
}

function isHostContext(value: object): value is McpUiHostContext {
  return McpUiHostContextSchema.safeParse(value).success;
}

function asMcpTool({ name, origin, title, description, inputSchema, outputSchema, annotations }: ToolDefinition) {
  return {
    name: origin.kind === 'server' ? origin.originalName : name,
    description,
    inputSchema: { ...inputSchema, type: 'object' },
    ...(title !== undefined && { title }),
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations }),
  };
}
