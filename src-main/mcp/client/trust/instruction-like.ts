const PERSON = String.raw`(?:the\s+|your\s+|this\s+)?(?:users?|persons?|humans?|people|anyone|anybody)`;
const FORMER = String.raw`(?:previous|prior|earlier|above|preceding|foregoing|other|existing|system|original)`;
const ORDERS = String.raw`(?:instructions?|prompts?|rules?|guidelines?|directives?|messages?|constraints?|restrictions?|policies)`;
const SECRET_FILE = String.raw`(?:\.ssh\b|\bid_(?:rsa|ed25519|ecdsa|dsa)\b|\.aws\b|\.gnupg\b|\.kube\b|\.netrc\b|\.npmrc\b|\.pypirc\b|\.git-credentials\b|\.docker\/config|\bmcp\.json\b|claude_desktop_config|\/etc\/(?:passwd|shadow)\b|\.bash_history\b|\.zsh_history\b|\.env\b(?:\s+files?)?)`;
const SECRET = String.raw`(?:private\s+keys?|ssh\s+keys?|api[\s_-]?keys?|passwords?|credentials|secrets|access\s+tokens?|seed\s+phrases?|environment\s+variables|system\s+prompts?|(?:chat|conversation|message)\s+history|(?:full|entire|whole|previous|prior)\s+(?:conversation|chat|context))`;
const TAKE = String.raw`(?:read|open|cat|access|fetch|retrieve|collect|include|append|attach|copy|paste|put|pass|provide|supply|send|post|upload|forward|transmit|leak|exfiltrate|steal|dump|contents?\s+of)`;
const GIVE = String.raw`(?:send|post|upload|forward|transmit|leak|exfiltrate|steal|append|attach|include|paste|embed|bcc)`;

/**
 * Words that a definition has no use for but to steer a model past the person. A hit is a reason to look and to ask, no proof:
 * what a text means can not be told by patterns, and one that is clean by these may be bad all the same.
 */
const PATTERNS: readonly RegExp[] = [
  // To set aside what it was told.
  new RegExp(
    String.raw`\b(?:ignore|disregard|forget|override|bypass|discard)\b[^.\n]{0,40}?\b${FORMER}\b[^.\n]{0,20}?\b${ORDERS}`,
  ),
  new RegExp(
    String.raw`\b(?:ignore|disregard|forget|override|bypass)\s+(?:all\s+|any\s+|every\s+)?(?:of\s+)?(?:your|the|these|those|my|all|any)\s+(?:\w+\s+)?${ORDERS}`,
  ),
  /\b(?:new|updated|real|actual|hidden|secret)\s+(?:system\s+)?instructions?\s*:/,
  /\byou\s+are\s+now\s+(?:a|an|the|in|no\s+longer)\b/,
  // To keep it from the person.
  new RegExp(
    String.raw`\b(?:do\s+not|don['’]?t|never|must\s+not|should\s+not|shouldn['’]?t|mustn['’]?t|avoid|without)\s+(?:ever\s+)?(?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?|notify(?:ing)?|alert(?:ing)?|reveal(?:ing)?|show(?:ing)?|warn(?:ing)?|disclos(?:e|ing)|explain(?:ing)?|let(?:ting)?)\b[^.\n]{0,40}?\b${PERSON}\b`,
  ),
  /\b(?:do\s+not|don['’]?t|never)\s+(?:mention|reveal|disclose|talk\s+about|speak\s+of)\s+(?:this|that|these|it|any\s+of\s+this)\b/,
  new RegExp(String.raw`\b(?:keep|hide|conceal)\b[^.\n]{0,40}?\bfrom\s+${PERSON}\b`),
  new RegExp(
    String.raw`\b(?:without\s+(?:the\s+|any\s+)?(?:user|person|human)['’]?s?\s+(?:knowing|knowledge|noticing|consent|approval|awareness|permission)|behind\s+the\s+(?:user|person)['’]?s\s+back|(?:silently|secretly|covertly|quietly)\s+(?:read|send|call|run|use|execute|upload|copy|include|add|append|collect))`,
  ),
  // To pass for somebody with authority.
  /<\s*\/?\s*(?:important|system|secret|hidden|instructions?|admin|override|urgent|critical|user|assistant)\s*>/,
  /<\|(?:im_start|im_end|system|endoftext)\|?>|\[\/?inst\]|<<\/?sys>>/,
  /(?:^|\n) ?(?:#{1,6} )?(?:system|developer) ?(?:message|prompt)? ?:/,
  // To get at keys, or at what belongs to others.
  new RegExp(String.raw`\b${TAKE}\b[^\n]{0,80}?${SECRET_FILE}`),
  new RegExp(
    String.raw`${SECRET_FILE}[^\n]{0,60}?\b(?:as|in|into|to|via|using)\s+(?:the\s+|this\s+|a\s+|an\s+)?[\w'"\x60-]{1,40}\s+(?:parameter|argument|field|tool|server)`,
  ),
  new RegExp(String.raw`\b${GIVE}\b[^.\n]{0,60}?\b${SECRET}\b`),
  // To meddle with other tools.
  /\b(?:before|instead\s+of|rather\s+than|prior\s+to)\s+(?:using|calling|running|invoking)?\s*(?:any|every|all)\s+(?:of\s+the\s+)?other\s+tools?\b/,
  /\b(?:whenever|when|if|before|after)\b[^.\n]{0,40}?\b(?:another|other|different)\s+(?:mcp\s+)?(?:tools?|servers?)\b[^.\n]{0,40}?\b(?:is|are|gets?)\s+(?:called|used|present|invoked|available|run)\b/,
  /\b(?:do\s+not|don['’]?t|never|without)\s+ask(?:ing)?\b[^.\n]{0,30}?\b(?:permission|confirmation|approval|consent|to\s+confirm)\b/,
  // The same in Chinese.
  /(?:忽略|无视|忘记|忘掉|不要理会|不理会|绕过|覆盖)[^。\n]{0,12}?(?:指令|指示|说明|提示词?|规则|要求|限制)/,
  /(?:不要|别|切勿|请勿|不得|禁止|无需|不必)[^。\n]{0,6}?(?:告诉|告知|通知|提示|提醒|透露|提及|让)[^。\n]{0,8}?(?:用户|使用者|任何人|他人|对方)/,
  /(?:瞒着|背着)(?:用户|使用者|人)|(?:悄悄|秘密|偷偷|暗中)地?(?:读取|发送|上传|调用|执行|复制)/,
  /(?:发送|上传|读取|附上|包含|泄露|传送)[^。\n]{0,16}?(?:私钥|密钥|密码|凭据|凭证|系统提示词?|聊天记录|对话历史)/,
].map((pattern) => new RegExp(pattern.source, 'iu'));

/**
 * Where the first of such words stands in a text; undefined when there are none.
 * @param text without long runs of space, on which patterns could take for ever.
 */
export function findInstruction(text: string): { index: number; length: number } | undefined {
  for (const pattern of PATTERNS) {
    const found = pattern.exec(text);
    if (found) return { index: found.index, length: found[0].length };
  }
  return undefined;
}
