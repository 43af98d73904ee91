//! VuePress, whose sidebars name pages by their addresses.

use super::repositories::{links_of, markdown, outline};
use super::*;

#[test]
fn vuepress_with_locales_and_folders() {
    let config = "\
import { defineUserConfig } from 'vuepress'
import { hopeTheme } from 'some-theme'
import { enSidebar } from './sidebars.js'
export default defineUserConfig({
  locales: { '/': { lang: 'en-US' }, '/zh/': { lang: 'zh-CN' } },
  theme: hopeTheme({ locales: { '/': { sidebar: enSidebar }, '/zh/': { sidebar: {} } } }),
})
";
    let sidebar = "\
import { sidebar } from 'some-theme'
export const enSidebar = sidebar({
  '/': ['', { text: 'Guide', prefix: 'guide/', children: ['start', { text: 'Deeper', link: 'more.md' }] }, 'ref/', ['/faq.html', 'Questions']],
  '/ref/': 'structure',
})
";
    let start = "# Start\n\n::: code-tabs\n@tab npm\n\n@[code{1-1} sh](../code.txt)\n:::\n\nSee [the FAQ](../faq.md) and ![x](/x.png).\n";
    let plan = planned(&[
        ("docs/.vuepress/config.ts", config),
        ("docs/.vuepress/sidebars.ts", "export * from './en.js'\n"),
        ("docs/.vuepress/en.ts", sidebar),
        ("docs/.vuepress/public/x.png", "png"),
        ("docs/README.md", "# Home\n"),
        ("docs/code.txt", "npm i\nno\n"),
        ("docs/guide/start.md", start),
        ("docs/guide/more.md", "# More\n"),
        ("docs/faq.md", "# FAQ\n"),
        ("docs/ref/README.md", "# Reference\n"),
        ("docs/ref/a.md", "---\norder: 2\n---\n\n# A\n"),
        ("docs/ref/b.md", "---\norder: 1\n---\n\n# B\n"),
        ("docs/ref/deep/c.md", "# C\n"),
        ("docs/zh/README.md", "# 首页\n"),
        ("package.json", "{}"),
    ]);
    assert_eq!(
        outline(&plan),
        "\
Home | home
Guide | guide group
  Start | guide/start
  More | guide/more
Reference | ref
  deep | ref/deep
    C | ref/deep/c
  B | ref/b
  A | ref/a
FAQ | faq
"
    );
    assert_eq!(
        links_of(&plan, "docs/guide/start.md"),
        ["page docs/faq.md", "file docs/.vuepress/public/x.png"]
    );
    let text = markdown(&plan, "docs/guide/start.md");
    assert!(text.contains("{% tab title=\"npm\" %}") && text.contains("```sh\nnpm i\n```"), "{text}");
}
