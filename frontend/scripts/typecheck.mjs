// Checks the types of what the apps share, then of each app: every app registers a router of its own type, and two
// registrations in one program contradict each other.
import { apps, folderOf, run } from './apps.mjs';

run('tsc', ['--noEmit', '-p', '.']);
for (const app of apps) run('tsc', ['--noEmit', '-p', folderOf(app)]);
