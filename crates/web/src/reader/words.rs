//! Texts of the frame of pages, in the languages of the settings.

/// Declares the texts of a page, each in all languages in the order of [`LANGUAGES`].
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident = [$($text:literal),* $(,)?],)*) => {
        /// Words of the frame of a page, in one language.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct PageWords { $($(#[$doc])* pub $name: &'static str,)* }

        impl PageWords {
            fn at(index: usize) -> Self {
                Self { $($name: {
                    const TEXTS: [&str; LANGUAGES.len()] = [$($text),*];
                    let [english, ..] = TEXTS;
                    TEXTS.get(index).copied().unwrap_or(english)
                },)* }
            }
        }
    };
}

/// Languages with texts.
const LANGUAGES: [&str; 10] = ["en", "fr", "es", "zh", "ja", "de", "nl", "no", "pt-br", "ru"];

impl Default for PageWords {
    fn default() -> Self {
        Self::at(0)
    }
}

impl PageWords {
    /// Returns the texts of a language by its tag, and English ones for an unknown language. `pt` falls back to
    /// Brazilian Portuguese, `nb` and `nn` to Norwegian.
    #[must_use]
    pub fn of(language: &str) -> Self {
        let tag = language.to_ascii_lowercase();
        let primary = tag.split('-').next().unwrap_or_default();
        let known = |name: &str| LANGUAGES.iter().position(|language| *language == name);
        let other = match primary {
            "pt" => "pt-br",
            "nb" | "nn" => "no",
            primary => primary,
        };
        Self::at(known(&tag).or_else(|| known(other)).unwrap_or_default())
    }
}

words! {
    /// Link to the content.
    skip = ["Skip to content", "Aller au contenu", "Ir al contenido", "跳到正文", "本文へ移動", "Zum Inhalt", "Naar de inhoud", "Gå til innholdet", "Ir para o conteúdo", "К содержанию"],
    /// Name of the search.
    search = ["Search", "Rechercher", "Buscar", "搜索", "検索", "Suchen", "Zoeken", "Søk", "Pesquisar", "Поиск"],
    /// Name of the search on its own page.
    search_site = ["Search this site", "Rechercher sur ce site", "Buscar en este sitio", "搜索本站", "このサイトを検索", "Diese Website durchsuchen", "Deze site doorzoeken", "Søk på nettstedet", "Pesquisar neste site", "Поиск по сайту"],
    /// Name of the bar of narrow screens.
    bar = ["Menu and headings", "Menu et titres", "Menú y títulos", "菜单和标题", "メニューと見出し", "Menü und Überschriften", "Menu en koppen", "Meny og overskrifter", "Menu e títulos", "Меню и заголовки"],
    /// Opens the menu of narrow screens.
    menu = ["Menu", "Menu", "Menú", "菜单", "メニュー", "Menü", "Menu", "Meny", "Menu", "Меню"],
    /// Closes the menu of narrow screens.
    close = ["Close", "Fermer", "Cerrar", "关闭", "閉じる", "Schließen", "Sluiten", "Lukk", "Fechar", "Закрыть"],
    /// Name of the outline.
    on_this_page = ["On this page", "Sur cette page", "En esta página", "本页内容", "このページの内容", "Auf dieser Seite", "Op deze pagina", "På denne siden", "Nesta página", "На этой странице"],
    /// Name of the list of ancestor pages.
    breadcrumbs = ["Breadcrumbs", "Fil d’Ariane", "Ruta de navegación", "路径", "パンくずリスト", "Brotkrumen", "Kruimelpad", "Brødsmuler", "Trilha de navegação", "Путь"],
    /// Name of the tree of pages.
    pages = ["Pages", "Pages", "Páginas", "页面", "ページ", "Seiten", "Pagina’s", "Sider", "Páginas", "Страницы"],
    /// Name of the button that shows child pages. The title of the page follows.
    pages_below = ["Pages below", "Pages sous", "Páginas de", "子页面：", "下位ページ：", "Seiten unter", "Pagina’s onder", "Sider under", "Páginas de", "Страницы раздела"],
    /// Name of the links to the previous and next page.
    pagination = ["Previous and next page", "Page précédente et suivante", "Página anterior y siguiente", "上一页和下一页", "前後のページ", "Vorige und nächste Seite", "Vorige en volgende pagina", "Forrige og neste side", "Página anterior e próxima", "Предыдущая и следующая страницы"],
    /// Link to the previous page.
    previous = ["Previous", "Précédent", "Anterior", "上一页", "前へ", "Zurück", "Vorige", "Forrige", "Anterior", "Назад"],
    /// Link to the next page.
    next = ["Next", "Suivant", "Siguiente", "下一页", "次へ", "Weiter", "Volgende", "Neste", "Próximo", "Далее"],
    /// Precedes the date of the last change.
    updated = ["Last updated", "Dernière mise à jour", "Última actualización", "最后更新", "最終更新", "Zuletzt geändert", "Laatst bijgewerkt", "Sist oppdatert", "Última atualização", "Обновлено"],
    /// Name of the button that changes the theme.
    theme = ["Change the theme", "Changer de thème", "Cambiar el tema", "切换主题", "テーマを切り替え", "Farbschema wechseln", "Thema wisselen", "Bytt tema", "Mudar o tema", "Сменить тему"],
    /// Name of the announcement above all pages.
    announcement = ["Announcement", "Annonce", "Anuncio", "公告", "お知らせ", "Ankündigung", "Aankondiging", "Kunngjøring", "Anúncio", "Объявление"],
    /// Name of the sections.
    sections = ["Sections", "Sections", "Secciones", "栏目", "セクション", "Bereiche", "Secties", "Seksjoner", "Seções", "Разделы"],
    /// Name of the links of the header.
    links = ["Links", "Liens", "Enlaces", "链接", "リンク", "Links", "Links", "Lenker", "Links", "Ссылки"],
    /// Name of the versions and languages.
    variants = ["Versions", "Versions", "Versiones", "版本", "バージョン", "Versionen", "Versies", "Versjoner", "Versões", "Версии"],
    /// Name of the accounts on social platforms.
    accounts = ["Social media", "Réseaux sociaux", "Redes sociales", "社交媒体", "ソーシャルメディア", "Soziale Medien", "Sociale media", "Sosiale medier", "Redes sociais", "Соцсети"],
    /// Name of the menu of a page.
    actions = ["Page actions", "Actions de la page", "Acciones de la página", "页面操作", "ページの操作", "Seitenaktionen", "Pagina-acties", "Sidehandlinger", "Ações da página", "Действия"],
    /// Button that copies a page as Markdown.
    copy_page = ["Copy as Markdown", "Copier en Markdown", "Copiar como Markdown", "复制为 Markdown", "Markdown でコピー", "Als Markdown kopieren", "Kopiëren als Markdown", "Kopier som Markdown", "Copiar como Markdown", "Копировать как Markdown"],
    /// Link to a page as Markdown.
    view_markdown = ["View as Markdown", "Voir en Markdown", "Ver como Markdown", "查看 Markdown", "Markdown で表示", "Als Markdown ansehen", "Als Markdown bekijken", "Vis som Markdown", "Ver como Markdown", "Открыть как Markdown"],
    /// Button that prints a page.
    print = ["Print or save as PDF", "Imprimer ou enregistrer en PDF", "Imprimir o guardar como PDF", "打印或另存为 PDF", "印刷または PDF で保存", "Drucken oder als PDF sichern", "Afdrukken of opslaan als PDF", "Skriv ut eller lagre som PDF", "Imprimir ou salvar como PDF", "Печать или PDF"],
    /// Link that opens a page in an AI assistant, whose name follows.
    open_in = ["Open in", "Ouvrir dans", "Abrir en", "打开：", "開く：", "Öffnen in", "Openen in", "Åpne i", "Abrir em", "Открыть в"],
    /// Button that copies the address of the MCP server.
    copy_mcp = ["Copy MCP address", "Copier l’adresse MCP", "Copiar dirección MCP", "复制 MCP 地址", "MCP アドレスをコピー", "MCP-Adresse kopieren", "MCP-adres kopiëren", "Kopier MCP-adresse", "Copiar endereço MCP", "Копировать адрес MCP"],
    /// Link that edits a page.
    edit = ["Edit", "Modifier", "Editar", "编辑", "編集", "Bearbeiten", "Bewerken", "Rediger", "Editar", "Редактировать"],
    /// Button that copies a listing.
    copy = ["Copy", "Copier", "Copiar", "复制", "コピー", "Kopieren", "Kopiëren", "Kopier", "Copiar", "Копировать"],
    /// Label of the button after copying.
    copied = ["Copied", "Copié", "Copiado", "已复制", "コピーしました", "Kopiert", "Gekopieerd", "Kopiert", "Copiado", "Скопировано"],
    /// Name of a picture without alternative text.
    picture = ["Picture", "Image", "Imagen", "图片", "画像", "Bild", "Afbeelding", "Bilde", "Imagem", "Изображение"],
    /// Title of the page for an unknown address.
    not_found = ["Page not found", "Page introuvable", "Página no encontrada", "找不到页面", "ページが見つかりません", "Seite nicht gefunden", "Pagina niet gevonden", "Siden finnes ikke", "Página não encontrada", "Страница не найдена"],
    /// Sentence on the page for an unknown address.
    is_absent = ["There is no page at this address. It may have been moved or removed.", "Il n’y a pas de page à cette adresse. Elle a peut-être été déplacée ou supprimée.", "No hay ninguna página en esta dirección. Puede que se haya movido o eliminado.", "此地址没有页面，可能已被移动或删除。", "このアドレスにページはありません。移動または削除された可能性があります。", "Unter dieser Adresse gibt es keine Seite. Vielleicht wurde sie verschoben oder gelöscht.", "Er is geen pagina op dit adres. Misschien is die verplaatst of verwijderd.", "Det finnes ingen side på denne adressen. Den kan være flyttet eller fjernet.", "Não há página neste endereço. Ela pode ter sido movida ou removida.", "По этому адресу страницы нет. Возможно, она перемещена или удалена."],
    /// Title of a site without pages.
    is_empty = ["There are no pages yet", "Il n’y a pas encore de pages", "Todavía no hay páginas", "还没有页面", "まだページがありません", "Es gibt noch keine Seiten", "Er zijn nog geen pagina’s", "Det er ingen sider ennå", "Ainda não há páginas", "Страниц пока нет"],
    /// Sentence on the page of a site without pages.
    comes_later = ["Pages appear here as soon as they are written.", "Les pages apparaîtront ici dès qu’elles seront écrites.", "Las páginas aparecerán aquí en cuanto se escriban.", "页面写好后会显示在这里。", "ページは作成されるとここに表示されます。", "Sobald Seiten geschrieben sind, erscheinen sie hier.", "Pagina’s verschijnen hier zodra ze geschreven zijn.", "Sider vises her så snart de er skrevet.", "As páginas aparecem aqui assim que forem escritas.", "Страницы появятся здесь, как только будут написаны."],
    /// Link to the first page.
    first_page = ["Go to the first page", "Aller à la première page", "Ir a la primera página", "前往首页", "最初のページへ", "Zur ersten Seite", "Naar de eerste pagina", "Gå til første side", "Ir para a primeira página", "На первую страницу"],
    /// Name of the list of results.
    results = ["Results", "Résultats", "Resultados", "结果", "検索結果", "Ergebnisse", "Resultaten", "Resultater", "Resultados", "Результаты"],
    /// Precedes the number of pages that were found.
    found = ["Pages found:", "Pages trouvées :", "Páginas encontradas:", "找到的页面：", "見つかったページ：", "Gefundene Seiten:", "Gevonden pagina’s:", "Sider funnet:", "Páginas encontradas:", "Найдено страниц:"],
    /// Message if nothing was found.
    nothing = ["Nothing was found.", "Aucun résultat.", "No se encontró nada.", "没有找到结果。", "見つかりませんでした。", "Nichts gefunden.", "Niets gevonden.", "Ingen treff.", "Nada encontrado.", "Ничего не найдено."],
    /// Message above the results while the index lacks pages.
    incomplete = ["The search index is still being built, so some pages may be missing.", "L’index de recherche est en cours de création : des pages peuvent manquer.", "El índice de búsqueda aún se está creando; pueden faltar páginas.", "搜索索引仍在建立中，结果可能不完整。", "検索インデックスを作成中のため、結果に含まれないページがあります。", "Der Suchindex wird noch aufgebaut; einige Seiten fehlen möglicherweise.", "De zoekindex wordt nog opgebouwd; sommige pagina’s kunnen ontbreken.", "Søkeindeksen bygges fortsatt, så noen sider kan mangle.", "O índice de pesquisa ainda está sendo criado; podem faltar páginas.", "Поисковый индекс ещё создаётся, поэтому некоторых страниц может не хватать."],
    /// Message after a failed search.
    failed = ["The search does not answer. Try again.", "La recherche ne répond pas. Réessayez.", "La búsqueda no responde. Inténtelo de nuevo.", "搜索没有响应，请重试。", "検索が応答しません。もう一度お試しください。", "Die Suche antwortet nicht. Versuchen Sie es noch einmal.", "De zoekfunctie reageert niet. Probeer het opnieuw.", "Søket svarer ikke. Prøv igjen.", "A pesquisa não responde. Tente novamente.", "Поиск не отвечает. Повторите попытку."],
    /// Meaning of the arrow keys.
    to_move = ["to move", "pour naviguer", "para moverse", "移动", "移動", "wählen", "navigeren", "flytte", "mover", "выбор"],
    /// Meaning of the enter key.
    to_open = ["to open", "pour ouvrir", "para abrir", "打开", "開く", "öffnen", "openen", "åpne", "abrir", "открыть"],
    /// Meaning of the escape key.
    to_close = ["to close", "pour fermer", "para cerrar", "关闭", "閉じる", "schließen", "sluiten", "lukke", "fechar", "закрыть"],
    /// Link to the privacy policy.
    privacy = ["Privacy policy", "Politique de confidentialité", "Política de privacidad", "隐私政策", "プライバシーポリシー", "Datenschutz", "Privacybeleid", "Personvern", "Política de privacidade", "Политика конфиденциальности"],
    /// Precedes the name of the service.
    published_with = ["Published with", "Publié avec", "Publicado con", "发布工具：", "発行：", "Veröffentlicht mit", "Gepubliceerd met", "Publisert med", "Publicado com", "Опубликовано в"],
    /// Button that ends the session of a visitor.
    sign_out = ["Sign out", "Se déconnecter", "Cerrar sesión", "退出", "ログアウト", "Abmelden", "Uitloggen", "Logg ut", "Sair", "Выйти"],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_their_words_and_others_english_ones() {
        for (tag, search) in [
            ("de", "Suchen"),
            ("pt", "Pesquisar"),
            ("PT-BR", "Pesquisar"),
            ("zh-tw", "搜索"),
            ("nb", "Søk"),
            ("he", "Search"),
            ("", "Search"),
        ] {
            assert_eq!(PageWords::of(tag).search, search, "{tag}");
        }
    }
}
