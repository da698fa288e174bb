/** What `--help` prints. */
export const USAGE = `Usage: create-framework [folder] [flags]
       create-framework service <path> [--dry-run]

Makes an application service with @framework/core, which installs, builds, lints, tests and starts as it comes out.
Asks for what is not given; asks nothing with --yes, and where there is no terminal.

  --database <where>    memory, embedded (default), or mongodb://host:27017/name
  --login <kind>        none, local (default: e-mail and password), or oauth (GitHub too)
  --real-time <kind>    none (default), sse, or socketio
  --js                  JavaScript with types in JSDoc, in place of TypeScript
  --no-install          do not install
  --no-git              make no repository
  --dry-run             tell what would be written, and write nothing
  -y, --yes             ask nothing
  -h, --help            this text
  -v, --version         the version

A flag may be written as name=value too. With npm, flags stand behind --:
  npm create framework@latest my-api -- --database=memory --login=none

service writes one service, with its test, into the application in this folder, and tells the line to add. It changes no file.`;
