/** What a browser sees that has no cookie: how to get in, in plain words. No scripts, nothing of the app. */
export const LOCKED_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Causeway: a new link is needed</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 15px/1.6 system-ui, sans-serif; max-width: 34rem; margin: 18vh auto; padding: 0 1.5rem; }
  h1 { font-size: 1.2rem; }
</style>
</head>
<body>
<h1>This link was used already, or is too old</h1>
<p>Each link opens Causeway once, in one browser, so that nobody else on this machine can use it.</p>
<p>To get a new one, go to the terminal where Causeway runs and press Enter, or stop it there and start it again.</p>
</body>
</html>
`;
