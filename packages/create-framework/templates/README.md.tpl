# «name»

Made by

```sh
«command»
```

## Commands

| command | what it does |
|---|---|
| `«run» dev` | starts it, and again after each change‹ (needs Node.js 22.18 or newer, which runs TypeScript itself)¦› |
| `«run» build` | checks the types‹, and compiles into `dist`¦› |
| `«run» lint` | looks for mistakes |
| `«run» test` | tests it over HTTP, with a database of its own |
| `«start»` | ‹compiles and ¦›starts it, on port 3030 |
| `«run» audit:services` | fails when callers from outside may do more than `audit.json` says; with `«dashes»--update` it writes the file, for you to read |
| `«run» service «dashes»orders` | writes a service and its test, and tells the line to add |

## Try it

```sh
«start»
```

In another terminal:

```sh
curl localhost:3030/health
curl localhost:3030/openapi.json
%% if login
curl localhost:3030/users -H 'Content-Type: application/json' -d '{"email":"ann@example.com","password":"correct horse"}'
TOKEN=$(curl -s localhost:3030/authentication -H 'Content-Type: application/json' \
  -d '{"strategy":"local","email":"ann@example.com","password":"correct horse"}' | node -p 'JSON.parse(require("fs").readFileSync(0)).accessToken')
curl localhost:3030/messages -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"text":"Hello"}'
curl localhost:3030/messages -H "Authorization: Bearer $TOKEN"
%% else
curl localhost:3030/messages -H 'Content-Type: application/json' -d '{"text":"Hello"}'
curl localhost:3030/messages
%% end
%% if sse
%% if login
curl -N localhost:3030/events -H "Authorization: Bearer $TOKEN"
%% else
curl -N localhost:3030/events
%% end
%% end
```

`openapi.json` describes the whole API; for a page that shows it, install `rapidoc` and write `openapi({ info, ui: 'rapidoc' })` in `src/app.«ext»`.

## Settings

Variables of the environment, or of the file `.env`, which is not in git.

| variable | meaning | default |
|---|---|---|
| `PORT` | port of the HTTP server | 3030 |
%% if login
| `AUTH_SECRET` | signs tokens: at least 32 characters, a random one is in `.env` | none |
%% end
%% if embedded
| `DATABASE_URL` | a MongoDB server, for production: `mongodb://host/«databaseName»` | the embedded database |
| `DATA_DIR` | folder of the embedded database | a temporary one |
%% end
%% if mongodb
| `DATABASE_URL` | the MongoDB server | none |
%% end
%% if oauth
| `ORIGIN` | where browsers find this application | `http://localhost:3030` |
| `GITHUB_CLIENT_ID`, `GITHUB_CLIENT_SECRET` | of the application that you register at GitHub; without them there is no login by GitHub | none |
%% end

## In a container

```sh
docker build -t «name» .
docker run --rm --env-file .env -p 3030:3030 «name»
```

It runs as a user without rights, tells its health, and answers what is in flight when it is stopped. Elsewhere let what keeps it running start `node ‹dist/src/main.js¦src/main.js›`
itself: `«start»` puts a shell between, which does not pass SIGTERM on.
%% if memory
Records are in memory: they are gone when it stops.
%% end

## Where things are

- `src/app.«ext»` makes the application, `src/main.«ext»` starts it.
- `src/services` has one file for each service: schema, service and hooks. `src/services/index.«ext»` lists them.
%% if database
- `src/database.«ext»` opens the database.
%% end
- `AGENTS.md` tells programs that work here what to know.
