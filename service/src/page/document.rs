//! The HTML document that both pages share: head, navigation and footer.

use maud::{DOCTYPE, Markup, html};

/// A page of the service.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Page {
    Status,
    Inspector,
}

/// Returns a whole document. `beside` is at the top, next to the names of the pages.
pub(super) fn document(page: Page, title: &str, beside: &Markup, main: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="robots" content="noindex";
                title { (title) }
                link rel="icon" href="/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/page.css";
                script src="/page.js" defer {}
            }
            body.(if page == Page::Status { "status" } else { "inspector" }) {
                a.skip href="#main" { "Skip to the content" }
                header.top {
                    p.brand { a href="/" { "saiban" } }
                    nav aria-label="Pages" {
                        (link(page == Page::Status, "/", "Status"))
                        (link(page == Page::Inspector, "/inspect", "Inspect an ID"))
                    }
                    (beside)
                }
                main #main tabindex="-1" { (main) }
                footer {
                    nav aria-label="For programs" {
                        a href="/readyz" { "/readyz" }
                        a href="/metrics" { "/metrics" }
                        a href="/v1/schemes" { "/v1/schemes" }
                        a href="/openapi.json" { "/openapi.json" }
                    }
                }
            }
        }
    }
}

fn link(is_current: bool, address: &str, words: &str) -> Markup {
    html! { a href=(address) aria-current=[is_current.then_some("page")] { (words) } }
}
