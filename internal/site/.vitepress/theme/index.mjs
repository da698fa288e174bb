// The default theme with the fonts of the system, so that a page asks no other host for anything.
import DefaultTheme from 'vitepress/theme-without-fonts';
import { mendRoles } from './roles.mjs';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp() {
    if (typeof window !== 'undefined') mendRoles(document);
  },
};
