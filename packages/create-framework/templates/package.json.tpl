{
  "name": "«name»",
  "version": "0.1.0",
  "private": true,
  "type": "module",
%% if pinned
  "packageManager": "«packageManager»",
%% end
  "engines": {
    "node": "^20.19.0 || >=22.12.0"
  },
  "scripts": {
    "build": "tsc",
%% if ts
    "prestart": "tsc",
    "start": "node dist/src/main.js",
    "dev": "node --watch src/main.ts",
    "test": "node -e \"fs.rmSync('dist', { recursive: true, force: true })\" && tsc && cd dist && node --test",
    "lint": "eslint .",
    "audit:services": "tsc && framework-audit dist/src/app.js --export audited",
%% else
    "start": "node src/main.js",
    "dev": "node --watch src/main.js",
    "test": "node --test",
    "lint": "eslint .",
    "audit:services": "framework-audit src/app.js --export audited",
%% end
    "service": "npx --yes create-framework@«version» service"
  },
  "dependencies": «dependencies»,
  "devDependencies": «devDependencies»
}
