# «name»

An HTTP API of services with `@framework/core`: each resource is a service with `find`, `get`, `create`, `update`, `patch` and `remove`; hooks wrap them.
‹TypeScript, ES modules, relative imports with their extension `.ts`. Only syntax that can be erased: no enums, no namespaces, no parameter properties.¦JavaScript with types in JSDoc, ES modules, relative imports with their extension `.js`.›

## Before you say that something is done

```sh
«run» build && «run» lint && «run» test && «run» audit:services
```

## Rules

- One file for each service in `src/services`: schema, service, hooks. `«run» service «dashes»<name>` writes one, and a test beside it. `src/services/index.«ext»` lists them.
- What callers send is checked by the schema of the service, and nothing else may pass. Properties that callers may not set are `ReadOnly`, those that nobody may read `Hidden`, passwords `WriteOnly`.
%% if login
- A service is open to everybody until a hook guards it: `around: { all: [authenticate('jwt')] }`. Who is logged in is `context.params.user`; calls from inside have no `context.params.provider`.
%% end
%% if realtime
- Events go to channels, and only where a service has a publisher (`app.service(path).publish(…)`).
%% end
- Throw the errors of `@framework/errors` (`BadRequest`, `NotFound` …): they have a status and their text is sent. Everything else is answered as 500 without its text.
- Tests call the API over HTTP (`test/start-app.«ext»`); nothing of our own is mocked.
- `audit.json` says what callers from outside may do. Change it by `«run» audit:services «dashes»--update`, and read what changed: less protection must be on purpose.
- Secrets are in the environment. Never put one into a file that git knows.
- Settings come from the environment, through the argument of `createApp`; README.md lists them.
