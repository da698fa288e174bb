# Settings of this machine. Not in git: each machine has its own.
PORT=3030
%% if login
# Signs the tokens of logins. Made at random; whoever has it can log in as anybody.
AUTH_SECRET=«secret»
%% end
%% if embedded
# Folder of the embedded database. In production set DATABASE_URL to a MongoDB server (mongodb://…/«databaseName») in its place.
DATA_DIR=data
%% end
%% if mongodb
DATABASE_URL=«databaseUrl»
%% end
%% if oauth
# Logins by GitHub: register an application there, with ORIGIN and /oauth/github/callback behind it as the address to come back to.
ORIGIN=http://localhost:3030
GITHUB_CLIENT_ID=
GITHUB_CLIENT_SECRET=
%% end
