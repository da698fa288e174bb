// The services of the application: one line for each file. `npm run service -- <name>` writes another file and tells its line.
export { messages } from './messages.«ext»';
%% if login
export { users } from './users.«ext»';
%% end
