/** Languages by the ending of a file's name. The names are those of highlight.js. */
const BY_ENDING: Readonly<Record<string, string>> = {
  bash: 'bash',
  c: 'c',
  cc: 'cpp',
  cjs: 'javascript',
  cpp: 'cpp',
  cs: 'csharp',
  css: 'css',
  cts: 'typescript',
  cxx: 'cpp',
  dart: 'dart',
  diff: 'diff',
  go: 'go',
  h: 'c',
  hh: 'cpp',
  hpp: 'cpp',
  htm: 'xml',
  html: 'xml',
  ini: 'ini',
  java: 'java',
  js: 'javascript',
  json: 'json',
  json5: 'json',
  jsonc: 'json',
  jsx: 'javascript',
  kt: 'kotlin',
  kts: 'kotlin',
  less: 'less',
  lua: 'lua',
  markdown: 'markdown',
  md: 'markdown',
  mjs: 'javascript',
  mk: 'makefile',
  mts: 'typescript',
  patch: 'diff',
  php: 'php',
  pl: 'perl',
  pm: 'perl',
  ps1: 'powershell',
  py: 'python',
  pyi: 'python',
  rb: 'ruby',
  rs: 'rust',
  scss: 'scss',
  sh: 'bash',
  sql: 'sql',
  svelte: 'xml',
  svg: 'xml',
  swift: 'swift',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  vue: 'xml',
  xhtml: 'xml',
  xml: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
  zsh: 'bash',
};

/** Languages of files whose name says it without an ending, or against it. */
const BY_NAME: Readonly<Record<string, string>> = {
  '.bashrc': 'bash',
  '.editorconfig': 'ini',
  '.gitconfig': 'ini',
  '.npmrc': 'ini',
  '.prettierrc': 'json',
  '.profile': 'bash',
  '.zshrc': 'bash',
  'cargo.lock': 'ini',
  containerfile: 'dockerfile',
  dockerfile: 'dockerfile',
  gemfile: 'ruby',
  gnumakefile: 'makefile',
  makefile: 'makefile',
  rakefile: 'ruby',
};

/** The language that a file is written in, by its name; undefined where the name does not say. */
export function languageOfFile(path: string): string | undefined {
  const name = (path.split(/[\\/]/).at(-1) ?? '').toLowerCase();
  const ending = name.slice(name.lastIndexOf('.') + 1);
  return find(BY_NAME, name) ?? (name.includes('.') ? find(BY_ENDING, ending) : undefined) ?? variantOf(name);
}

/** `Dockerfile.test` and `Makefile.am` are what they start with. */
function variantOf(name: string): string | undefined {
  const start = name.split('.')[0] ?? '';
  return start === 'dockerfile' || start === 'makefile' ? start : undefined;
}

/** Names come from outside: `constructor` is no entry. */
function find(list: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(list, key) ? list[key] : undefined;
}
