//! A query as a question: which rows or groups it shows, by which numbers, in which order. Columns that only describe a
//! group are left to the plan, which shows what rows are called by. Next: `related` for what rows must pass.

use sqlparser::ast::{
    Expr, GroupByExpr, OrderByKind, OrderBySort, Query, Select, SelectItem, SelectItemQualifiedWildcardKind, SetExpr,
    SetOperator,
};

use super::super::super::catalogue::{Catalogue, ColumnPart};
use super::super::super::form::Thing;
use super::super::{
    Each, End, Group, How, Is, Listed, Name, Number, Problem, Question, Rank, Related, Test, What, Words,
};
use super::clauses::{absent, aliases, limit, plain, replaced, scope_of};
use super::expression::{amount, bare};
use super::numbers::{Figure, figure, gathers};
use super::related::{Conditions, condition, group_test};
use super::scope::{Place, Scope, conjuncts};
use super::{times, unread};

/// The question that `query` asks.
pub fn read(catalogue: &Catalogue, query: &Query) -> Result<Question, Problem> {
    if query.with.is_some() {
        return Err(unread(query, "write one query, without WITH"));
    }
    match query.body.as_ref() {
        SetExpr::Select(select) => {
            let mut reading = Reading::of(catalogue, select)?;
            reading.shown()?;
            reading.ordered(query)?;
            reading.finished()
        }
        SetExpr::SetOperation { left, op: op @ (SetOperator::Except | SetOperator::Intersect), right, .. } => {
            beside(catalogue, left, right, *op == SetOperator::Intersect)
        }
        _ => Err(unread(query, "write one SELECT")),
    }
}

/// `SELECT key FROM … EXCEPT SELECT reference FROM …`.
fn beside(catalogue: &Catalogue, left: &SetExpr, right: &SetExpr, has: bool) -> Result<Question, Problem> {
    let (SetExpr::Select(first), SetExpr::Select(_)) = (left, right) else {
        return Err(unread(left, "write one SELECT"));
    };
    let mut reading = Reading::of(catalogue, first)?;
    reading.shown()?;
    let column = match first.projection.first() {
        Some(SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) => expr.clone(),
        _ => return Err(unread(left, "one column is needed")),
    };
    let place = reading.scope.column(&column)?;
    let within = |body: &SetExpr| sqlparser::ast::InTarget::Subquery(Box::new(plain(body)));
    let test = |body: &SetExpr, negated| {
        let target = within(body);
        Expr::In { expr: Box::new(column.clone()), target, negated, global: false }
    };
    let ColumnPart::Reference(join) = catalogue.column(place.column).part else {
        condition(&reading.scope, &test(right, !has), &mut reading.conditions)?;
        return reading.finished();
    };
    // References that are there and not there are rows of the table that they refer to.
    let mut conditions = Conditions::default();
    condition(&reading.scope, &test(left, false), &mut conditions)?;
    condition(&reading.scope, &test(right, !has), &mut conditions)?;
    let of = Name(catalogue.table(catalogue.join(join).to).name.clone());
    if !conditions.tests.is_empty() || !conditions.having.is_empty() {
        return Err(unread(left, "only rows that are there or are not can be put beside each other"));
    }
    let list = vec![Listed { as_said: Words::default(), of }];
    Ok(Question { list, related: conditions.related, ..Question::default() })
}

/// A SELECT on its way to a question.
struct Reading<'a> {
    scope: Scope<'a>,
    select: &'a Select,
    conditions: Conditions,
    question: Question,
    /// What the projection calls its parts.
    aliases: Vec<(String, Expr)>,
    /// Columns shown that are no numbers.
    columns: Vec<Place>,
    /// What is shown that two columns make.
    made: Vec<Name>,
    groups: Vec<(Place, Each)>,
}

impl<'a> Reading<'a> {
    fn of(catalogue: &'a Catalogue, select: &'a Select) -> Result<Self, Problem> {
        let aliases = aliases(select);
        let mut scope = scope_of(catalogue, select, &aliases)?;
        let mut tests = Vec::new();
        for part in select.selection.as_ref().map(conjuncts).unwrap_or_default() {
            if !scope.linked(part)? {
                tests.push(part);
            }
        }
        let mut conditions = Conditions::default();
        let missing = absent(&mut scope, &mut tests, &mut conditions)?;
        let on: Vec<Expr> = scope.placed.iter().flat_map(|placed| placed.on.clone()).collect();
        for part in tests.into_iter().chain(on.iter()) {
            condition(&scope, part, &mut conditions)?;
        }
        // Rows that must not be there are none that anything is asked of.
        for at in missing {
            scope.leave(at);
        }
        let (columns, made, groups, question) = (Vec::new(), Vec::new(), Vec::new(), Question::default());
        Ok(Self { scope, select, conditions, question, aliases, columns, made, groups })
    }

    /// What an order, a group or a test of groups means by a name or a number of the projection.
    fn meant(&self, expr: &Expr) -> Expr {
        if let Expr::Identifier(ident) = bare(expr)
            && let Some((_, own)) = self.aliases.iter().find(|(alias, _)| *alias == ident.value.to_lowercase())
        {
            return own.clone();
        }
        let item = match bare(expr) {
            Expr::Value(_) => amount(expr).and_then(|at| self.select.projection.get((at as usize).checked_sub(1)?)),
            _ => None,
        };
        match item {
            Some(SelectItem::UnnamedExpr(own) | SelectItem::ExprWithAlias { expr: own, .. }) => own.clone(),
            _ => replaced(expr, &self.aliases),
        }
    }

    /// What the projection shows, and by what it is grouped.
    fn shown(&mut self) -> Result<(), Problem> {
        let GroupByExpr::Expressions(groups, _) = &self.select.group_by else {
            return Err(unread(&self.select.group_by, "say by which columns"));
        };
        for expr in groups {
            let expr = self.meant(expr);
            let group = self.group(&expr)?;
            self.groups.push(group);
        }
        for item in &self.select.projection {
            self.item(item)?;
        }
        if let Some(having) = &self.select.having {
            for part in conjuncts(having) {
                let meant = self.meant(part);
                let test = group_test(&self.scope, &meant)?;
                self.conditions.having.push(test);
            }
        }
        Ok(())
    }

    fn group(&self, expr: &Expr) -> Result<(Place, Each), Problem> {
        match times::part(expr) {
            Some((part, date)) => {
                let each = part.each().or_else(|| self.of_one_year().then_some(Each::Month));
                Ok((
                    self.scope.column(date)?,
                    each.ok_or_else(|| unread(expr, "months of all years are not put together"))?,
                ))
            }
            None => Ok((self.scope.column(expr)?, Each::Value)),
        }
    }

    /// Whether only one year is asked about: then a month of the year is a month.
    fn of_one_year(&self) -> bool {
        let year = |test: &Test| test.is == Is::During && test.values.iter().any(|value| value.0.len() == 4);
        self.conditions.tests.iter().any(year)
    }

    fn item(&mut self, item: &SelectItem) -> Result<(), Problem> {
        let expr = match item {
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => expr,
            SelectItem::Wildcard(_) => return Ok(()),
            SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), _) => {
                let alias = name.to_string().to_lowercase();
                let at = self.scope.placed.iter().position(|placed| placed.alias == alias);
                if let Some(at) = at {
                    self.columns.push(self.scope.any(at));
                }
                return Ok(());
            }
            other => return Err(unread(other, "this is nothing that can be shown")),
        };
        if gathers(expr) {
            return match figure(&self.scope, expr)? {
                Figure::One(number) => {
                    self.question.measures.push(number);
                    Ok(())
                }
                Figure::Ratio(part, whole) => {
                    self.question.measures.extend([part, whole]);
                    self.question.analysis = What::Ratio;
                    Ok(())
                }
                Figure::OfTotal(number) => {
                    self.question.measures.push(number);
                    self.question.analysis = What::ShareOfTotal;
                    Ok(())
                }
            };
        }
        if let Expr::BinaryOp { left, op: sqlparser::ast::BinaryOperator::StringConcat, right } = bare(expr) {
            return [left, right].into_iter().try_for_each(|part| {
                match amount(part).is_none() && self.scope.column(part).is_err() {
                    true => Ok(()),
                    false => self.item(&SelectItem::UnnamedExpr(part.as_ref().clone())),
                }
            });
        }
        if times::part(expr).is_some() && !self.groups.is_empty() {
            return Ok(());
        }
        if super::expression::literal(expr).is_some() {
            return Ok(());
        }
        match super::numbers::made(&self.scope, expr)? {
            Some(name) => self.made.push(name),
            None => self.columns.push(self.scope.column(expr)?),
        }
        Ok(())
    }

    fn ordered(&mut self, query: &Query) -> Result<(), Problem> {
        let limit = limit(query)?;
        let orders = match query.order_by.as_ref().map(|order| &order.kind) {
            Some(OrderByKind::Expressions(orders)) => orders.as_slice(),
            Some(OrderByKind::All(_)) => return Err(unread(query, "say by what it is ordered")),
            None => &[],
        };
        let Some(order) = orders.first() else {
            return if limit > 0 && self.question.measures.is_empty() {
                Err(unread(query, "a limit needs an order"))
            } else {
                Ok(())
            };
        };
        let expr = self.meant(&order.expr);
        let end = match order.options.sort {
            Some(OrderBySort::Desc) => End::Highest,
            Some(OrderBySort::Asc | OrderBySort::Using(_)) | None => End::Lowest,
        };
        let rank = |by| Rank { as_said: Words::default(), by, limit, order: end, per_group: false };
        if gathers(&expr) {
            self.ranked_by(&expr)?;
            self.question.rank = vec![rank(Name("measure".to_owned()))];
            return Ok(());
        }
        let grouped = !self.groups.is_empty() || !self.question.measures.is_empty();
        if grouped {
            return if limit == 0 { Ok(()) } else { Err(unread(order, "groups are ordered by their number")) };
        }
        let by = match super::numbers::made(&self.scope, &expr)? {
            Some(name) => name,
            None => self.scope.name(self.scope.column(&expr)?)?,
        };
        // An order alone says nothing about which rows are meant.
        if limit > 0 || orders.len() == 1 {
            self.question.rank = vec![rank(by)];
        }
        Ok(())
    }

    /// The number that groups are ordered by comes first.
    fn ranked_by(&mut self, expr: &Expr) -> Result<(), Problem> {
        let number = match figure(&self.scope, expr)? {
            Figure::One(number) | Figure::OfTotal(number) => number,
            Figure::Ratio(..) if self.question.analysis == What::Ratio => return Ok(()),
            Figure::Ratio(..) => return Err(unread(expr, "what it is ordered by has to be shown")),
        };
        if self.question.analysis == What::Ratio {
            return Ok(());
        }
        self.question.measures.retain(|own| *own != number);
        self.question.measures.insert(0, number);
        Ok(())
    }

    fn finished(mut self) -> Result<Question, Problem> {
        if self.groups.is_empty() && !self.question.measures.is_empty() && !self.columns.is_empty() {
            self.extreme()?;
        }
        let base = self.base();
        let has_numbers = !self.question.measures.is_empty();
        if has_numbers || (!self.groups.is_empty() && !self.conditions.having.is_empty()) {
            self.grouped()?;
        } else {
            self.listed(base)?;
        }
        self.question.having = std::mem::take(&mut self.conditions.having);
        self.placed(base)?;
        Ok(self.question)
    }

    /// `SELECT name, MAX(price)`: the row that has it.
    fn extreme(&mut self) -> Result<(), Problem> {
        let [number] = self.question.measures.as_slice() else {
            return Err(unread(&self.select.projection[0], "it is not in GROUP BY"));
        };
        let order = match number.how {
            How::Maximum => End::Highest,
            How::Minimum => End::Lowest,
            _ => return Err(unread(&self.select.projection[0], "it is not in GROUP BY")),
        };
        let by = number.of.clone();
        self.question.rank = vec![Rank { as_said: Words::default(), by, limit: 1, order, per_group: false }];
        self.question.measures.clear();
        Ok(())
    }

    /// The table whose rows are shown or counted.
    fn base(&self) -> Option<usize> {
        let table = |name: &Name| {
            let table = name.0.split('.').next().unwrap_or_default();
            let is_it = |at: &usize| self.scope.catalogue.table(self.scope.placed[*at].table).name == table;
            (0..self.scope.placed.len()).find(is_it)
        };
        if let [Number { of, .. }, ..] = self.question.measures.as_slice() {
            return table(of);
        }
        let mut shown: Vec<usize> = self.columns.iter().map(|place| place.at).collect();
        shown.extend(self.groups.iter().map(|(place, _)| place.at));
        if shown.is_empty() {
            return self.scope.root().or(Some(0));
        }
        let leads = |at: &&usize| shown.iter().all(|other| self.scope.leads(**at, *other));
        shown.iter().find(leads).copied().or_else(|| self.scope.root())
    }

    fn grouped(&mut self) -> Result<(), Problem> {
        let by_row: Vec<usize> =
            self.groups.iter().filter(|(place, _)| self.is_row(*place)).map(|(place, _)| place.at).collect();
        let mut groups: Vec<Group> = Vec::new();
        let extra = self.columns.iter().map(|place| (*place, Each::Value)).collect::<Vec<_>>();
        let extra = extra.into_iter().filter(|(place, _)| !self.groups.iter().any(|(own, _)| own == place));
        let all: Vec<(Place, Each)> = self.groups.iter().copied().chain(extra).collect();
        for (at, (place, each)) in all.iter().enumerate() {
            // What describes a row that is a group of its own adds nothing.
            let describes = by_row.iter().any(|row| self.scope.leads(*row, place.at) && !self.is_row(*place));
            if describes || (at >= self.groups.len() && self.is_named(*place)) {
                continue;
            }
            let by = if self.is_row(*place) && *each == Each::Value {
                self.rows(*place)?
            } else {
                self.scope.name(*place)?
            };
            let group = Group { as_said: Words::default(), by, each: *each };
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        if self.question.measures.is_empty() {
            self.question.list =
                groups.into_iter().map(|group| Listed { as_said: Words::default(), of: group.by }).collect();
        } else {
            self.question.groups = groups;
        }
        Ok(())
    }

    /// Whether a column tells the rows of its table apart, or is what they are called by.
    fn is_row(&self, place: Place) -> bool {
        let entry = self.scope.catalogue.table(place.column.table);
        let key = entry.key == Some(place.column.column);
        (key && self.scope.catalogue.column(place.column).part == ColumnPart::Key)
            || entry.is_name_part(place.column.column)
    }

    /// Whether groups are told by it anyway: the name of rows of which each is a group.
    fn is_named(&self, place: Place) -> bool {
        let same = |(own, _): &(Place, Each)| self.scope.leads(own.at, place.at);
        self.groups.iter().any(same)
    }

    /// The rows of a table, or the reference by which they are reached where several lead there.
    fn rows(&self, place: Place) -> Result<Name, Problem> {
        let name = self.scope.name(place)?;
        let own = self.scope.catalogue.column_label(place.column);
        Ok(if name.0 == own { Name(self.scope.catalogue.table(place.column.table).name.clone()) } else { name })
    }

    fn listed(&mut self, base: Option<usize>) -> Result<(), Problem> {
        let base = base.ok_or_else(|| unread(&self.select.projection[0], "it is not clear whose rows are shown"))?;
        let table = self.scope.placed[base].table;
        let mut columns: Vec<Place> = self.groups.iter().map(|(place, _)| *place).collect();
        columns.extend(self.columns.iter().copied());
        let names_rows = |place: &Place| {
            self.is_row(*place) || self.scope.catalogue.names_rows(Thing::Column(place.column), place.column.table)
        };
        let own = |place: &Place| place.at == base && (names_rows(place) || self.is_part_of_name(*place));
        let different = self.select.distinct.is_some() || !self.groups.is_empty();
        let mut list = Vec::new();
        // Different values of columns are no rows.
        if !different || columns.is_empty() || columns.iter().any(own) || !self.question.rank.is_empty() {
            list.push(Name(self.scope.catalogue.table(table).name.clone()));
        }
        let shown = columns.into_iter().filter(|place| !own(place));
        for place in shown.collect::<Vec<_>>() {
            let name = self.scope.name(place)?;
            if !list.contains(&name) {
                list.push(name);
            }
        }
        list.append(&mut self.made);
        self.question.list = list.into_iter().map(|of| Listed { as_said: Words::default(), of }).collect();
        Ok(())
    }

    /// First and last names are shown as one.
    fn is_part_of_name(&self, place: Place) -> bool {
        let entry = self.scope.catalogue.table(place.column.table);
        entry.is_name_part(place.column.column)
    }

    /// Tests of rows that there may be many of for each row asked about are tests of related rows.
    fn placed(&mut self, base: Option<usize>) -> Result<(), Problem> {
        let Conditions { tests, related, .. } = std::mem::take(&mut self.conditions);
        self.question.related = related;
        let tests = times::merged(tests);
        let Some(base) = base else {
            self.question.filters = tests;
            return Ok(());
        };
        let catalogue = self.scope.catalogue;
        let at_of = |test: &Test| {
            let column = test.column.0.split(' ').find(|word| word.contains('.')).unwrap_or_default();
            let table = column.split('.').next().unwrap_or_default();
            (0..self.scope.placed.len()).find(|at| catalogue.table(self.scope.placed[*at].table).name == table)
        };
        let counted = self.question.measures.iter().all(|number| number.how == How::Count);
        let mut beyond: Vec<(usize, Vec<Test>)> = Vec::new();
        for test in tests {
            match at_of(&test) {
                Some(at) if !self.scope.leads(base, at) && (self.question.measures.is_empty() || counted) => {
                    match beyond.iter_mut().find(|(own, _)| *own == at) {
                        Some((_, own)) => own.push(test),
                        None => beyond.push((at, vec![test])),
                    }
                }
                _ => self.question.filters.push(test),
            }
        }
        // Joined rows have to be there, where nothing else is asked of them.
        if self.question.measures.is_empty() && self.question.having.is_empty() {
            for at in 0..self.scope.placed.len() {
                let known =
                    self.scope.is_gone(at) || self.scope.leads(base, at) || beyond.iter().any(|(own, _)| *own == at);
                if !known && !self.scope.placed[at].left && beyond.is_empty() {
                    beyond.push((at, Vec::new()));
                }
            }
        }
        for (at, filters) in beyond {
            let table = Name(catalogue.table(self.scope.placed[at].table).name.clone());
            self.question.related.push(Related { as_said: Words::default(), filters, has: true, table });
        }
        Ok(())
    }
}
