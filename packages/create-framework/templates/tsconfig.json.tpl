{
  "compilerOptions": {
    "target": "es2022",
    "lib": ["es2023"],
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "skipLibCheck": true,
%% if ts
    "verbatimModuleSyntax": true,
    "erasableSyntaxOnly": true,
    "rewriteRelativeImportExtensions": true,
    "sourceMap": true,
    "incremental": true,
    "rootDir": ".",
    "outDir": "dist"
%% else
    "allowJs": true,
    "checkJs": true,
    "noEmit": true
%% end
  },
  "include": ["src", "test"]
}
